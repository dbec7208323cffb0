/// The one of `known` that `word` is most likely a slip of, if any is close.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 64;
    if word.len() > LONGEST {
        return None;
    }
    let word: Vec<char> = word.to_lowercase().chars().collect();
    let most = (word.len() / 3).max(1);
    known
        .filter(|candidate| candidate.len() <= LONGEST)
        .map(|candidate| (distance(&word, candidate), candidate))
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be changed, added, taken away or swapped with their neighbour.
fn distance(word: &[char], other: &str) -> usize {
    let other: Vec<char> = other.to_lowercase().chars().collect();
    let mut rows: [Vec<usize>; 3] = [Vec::new(), Vec::new(), (0..=word.len()).collect()];
    for line in 1..=other.len() {
        rows.rotate_left(1);
        let mut row = vec![line];
        for column in 1..=word.len() {
            let differs = usize::from(word[column - 1] != other[line - 1]);
            let least = (rows[1][column - 1] + differs).min(rows[1][column] + 1).min(row[column - 1] + 1);
            let swapped =
                line > 1 && column > 1 && word[column - 1] == other[line - 2] && word[column - 2] == other[line - 1];
            row.push(if swapped { least.min(rows[0][column - 2] + 1) } else { least });
        }
        rows[2] = row;
    }
    rows[2][word.len()]
}

pub(super) fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = words.map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}
