//! Names that people mistype, and names of the left that the right has too.

use model::file::nearest;

/// As the end of a message: `; did you mean …?`, or nothing.
pub fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

const WHOLE_WORDS: [(&str, &str); 3] = [("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT")];

/// What the same thing may be called on the other side, likeliest first: `left_elbow`, `elbow_l`, `LElbow`, `leftElbow`.
pub(crate) fn other_side(name: &str) -> Vec<String> {
    let mut others = Vec::new();
    for (left, right) in WHOLE_WORDS {
        for (this, that) in [(left, right), (right, left)] {
            if name.contains(this) {
                others.push(name.replace(this, that));
                others.push(name.replacen(this, that, 1));
            }
        }
    }
    let letters: Vec<(usize, char)> = name.char_indices().collect();
    for (place, (at, letter)) in letters.iter().enumerate() {
        let swapped = match letter {
            'l' => "r",
            'r' => "l",
            'L' => "R",
            'R' => "L",
            _ => continue,
        };
        let before = place.checked_sub(1).map(|before| letters[before].1);
        let after = letters.get(place + 1).map(|(_, after)| *after);
        let starts =
            before.is_none_or(|before| !before.is_alphanumeric() || letter.is_uppercase() && before.is_lowercase());
        let ends = after.is_none_or(|after| !after.is_alphabetic() || after.is_uppercase());
        if starts && ends {
            others.push(format!("{}{swapped}{}", &name[..*at], &name[at + 1..]));
        }
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_other_side() {
        for (left, right) in [
            ("left_elbow", "right_elbow"),
            ("l_arm_1", "r_arm_1"),
            ("arm_l", "arm_r"),
            ("LElbowYaw", "RElbowYaw"),
            ("leftElbowPitch", "rightElbowPitch"),
            ("arm_left_2_joint", "arm_right_2_joint"),
            ("LLEG_HPZ", "RLEG_HPZ"),
            ("finger_L1", "finger_R1"),
        ] {
            assert!(other_side(left).contains(&right.to_owned()), "{left}: {:?}", other_side(left));
            assert!(other_side(right).contains(&left.to_owned()), "{right}: {:?}", other_side(right));
        }
        assert_eq!(other_side("elbow"), [""; 0]);
    }
}
