/// The one of `known` that `word` is most likely a slip of, if any is close.
pub(super) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
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

/// How many letters must be changed, added or taken away.
fn distance(word: &[char], other: &str) -> usize {
    let mut row: Vec<usize> = (0..=word.len()).collect();
    for (line, letter) in other.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        for (column, own) in word.iter().enumerate() {
            let changed = diagonal + usize::from(*own != letter);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[word.len()]
}

pub(super) fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = words.map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}
