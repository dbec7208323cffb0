//! A formula as people write it: `!a & next(b) -> (c | d)`, with what is wrong told by its column.

use thiserror::Error;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    Constant(bool),
    /// A proposition by its number, now or in the next situation.
    Is(usize),
    Next(usize),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Same(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// Every proposition in it, and whether it is that of the next situation.
    pub fn propositions(&self) -> Vec<(usize, bool)> {
        match self {
            Formula::Constant(_) => Vec::new(),
            Formula::Is(number) => vec![(*number, false)],
            Formula::Next(number) => vec![(*number, true)],
            Formula::Not(inner) => inner.propositions(),
            Formula::And(all) | Formula::Or(all) => all.iter().flat_map(Formula::propositions).collect(),
            Formula::Implies(one, other) | Formula::Same(one, other) => {
                [one.propositions(), other.propositions()].concat()
            }
        }
    }

    /// The same in the next situation; none: it speaks of the next one already.
    fn next(self) -> Option<Formula> {
        let boxed = |one: Formula| one.next().map(Box::new);
        let all = |all: Vec<Formula>| all.into_iter().map(Formula::next).collect::<Option<Vec<_>>>();
        Some(match self {
            Formula::Constant(value) => Formula::Constant(value),
            Formula::Is(number) => Formula::Next(number),
            Formula::Next(_) => return None,
            Formula::Not(inner) => Formula::Not(boxed(*inner)?),
            Formula::And(each) => Formula::And(all(each)?),
            Formula::Or(each) => Formula::Or(all(each)?),
            Formula::Implies(one, other) => Formula::Implies(boxed(*one)?, boxed(*other)?),
            Formula::Same(one, other) => Formula::Same(boxed(*one)?, boxed(*other)?),
        })
    }
}

/// Columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unreadable {
    #[error("column {column}: `{found}` is not expected here; write {wanted}")]
    Unexpected { column: usize, found: String, wanted: &'static str },
    #[error("column {column}: it ends here; write {wanted}")]
    Ended { column: usize, wanted: &'static str },
    #[error("column {column}: `{name}` is unknown{}", nearest.as_ref().map(|name| format!(": did you mean `{name}`?")).unwrap_or_default())]
    Unknown { column: usize, name: String, nearest: Option<String> },
    #[error(
        "column {column}: `next` in `next` looks two situations ahead, which GR(1) cannot: remember with a proposition"
    )]
    NextInNext { column: usize },
    #[error(
        "column {column}: `{operator}` stands inside of a formula, which GR(1) cannot: it begins one, as in G(…) or GF(…)"
    )]
    Temporal { column: usize, operator: String },
    #[error("column {column}: more than {MOST_LEVELS} brackets in each other")]
    TooDeep { column: usize },
}

const MOST_LEVELS: usize = 100;

/// A formula over these names.
pub fn read(text: &str, names: &[String]) -> Result<Formula, Unreadable> {
    let mut reader = Reader { tokens: tokens(text)?, at: 0, end: text.chars().count() + 1, names, level: 0 };
    let formula = reader.same()?;
    match reader.tokens.get(reader.at) {
        None => Ok(formula),
        Some((column, found)) => {
            Err(Unreadable::Unexpected { column: *column, found: found.clone(), wanted: "`&`, `|`, `->` or `<->`" })
        }
    }
}

fn tokens(text: &str) -> Result<Vec<(usize, String)>, Unreadable> {
    let letters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let rest = &letters[at..];
        let is_word = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '_' || *letter == '.';
        let length = match rest {
            [' ' | '\t' | '\n' | '\r', ..] => {
                at += 1;
                continue;
            }
            ['<', '-', '>', ..] => 3,
            ['-', '>', ..] | ['&', '&', ..] | ['|', '|', ..] => 2,
            ['!' | '&' | '|' | '(' | ')', ..] => 1,
            [first, ..] if is_word(first) => rest.iter().take_while(|letter| is_word(letter)).count(),
            _ => {
                let found = rest[0].to_string();
                let wanted = "names, `!`, `&`, `|`, `->`, `<->`, `next(…)` and brackets";
                return Err(Unreadable::Unexpected { column: at + 1, found, wanted });
            }
        };
        tokens.push((at + 1, rest[..length].iter().collect()));
        at += length;
    }
    Ok(tokens)
}

struct Reader<'a> {
    tokens: Vec<(usize, String)>,
    at: usize,
    end: usize,
    names: &'a [String],
    level: usize,
}

impl Reader<'_> {
    fn takes(&mut self, wanted: &[&str]) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|(_, token)| wanted.contains(&token.as_str()));
        self.at += usize::from(found);
        found
    }

    fn same(&mut self) -> Result<Formula, Unreadable> {
        let mut left = self.implies()?;
        while self.takes(&["<->"]) {
            left = Formula::Same(Box::new(left), Box::new(self.implies()?));
        }
        Ok(left)
    }

    /// `a -> b -> c` is `a -> (b -> c)`.
    fn implies(&mut self) -> Result<Formula, Unreadable> {
        let left = self.or()?;
        if !self.takes(&["->"]) {
            return Ok(left);
        }
        self.deeper()?;
        let right = self.implies()?;
        self.level -= 1;
        Ok(Formula::Implies(Box::new(left), Box::new(right)))
    }

    fn or(&mut self) -> Result<Formula, Unreadable> {
        let mut all = vec![self.and()?];
        while self.takes(&["|", "||"]) {
            all.push(self.and()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Formula::Or(all) })
    }

    fn and(&mut self) -> Result<Formula, Unreadable> {
        let mut all = vec![self.one()?];
        while self.takes(&["&", "&&"]) {
            all.push(self.one()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Formula::And(all) })
    }

    fn deeper(&mut self) -> Result<(), Unreadable> {
        self.level += 1;
        let column = self.tokens.get(self.at).map_or(self.end, |(column, _)| *column);
        if self.level > MOST_LEVELS { Err(Unreadable::TooDeep { column }) } else { Ok(()) }
    }

    fn one(&mut self) -> Result<Formula, Unreadable> {
        const WANTED: &str = "a name, `!`, `next(…)` or a bracket";
        let Some((column, token)) = self.tokens.get(self.at).cloned() else {
            return Err(Unreadable::Ended { column: self.end, wanted: WANTED });
        };
        self.deeper()?;
        self.at += 1;
        let formula = match token.as_str() {
            "!" => Formula::Not(Box::new(self.one()?)),
            "(" => self.bracket()?,
            "true" => Formula::Constant(true),
            "false" => Formula::Constant(false),
            "next" | "X" if self.takes(&["("]) => self.bracket()?.next().ok_or(Unreadable::NextInNext { column })?,
            "G" | "F" | "GF" | "FG" | "U" | "W" | "R" if !self.names.contains(&token) => {
                return Err(Unreadable::Temporal { column, operator: token });
            }
            name => self.named(column, name)?,
        };
        self.level -= 1;
        Ok(formula)
    }

    fn bracket(&mut self) -> Result<Formula, Unreadable> {
        let inner = self.same()?;
        if self.takes(&[")"]) {
            return Ok(inner);
        }
        let wanted = "`)`";
        Err(match self.tokens.get(self.at) {
            Some((column, found)) => Unreadable::Unexpected { column: *column, found: found.clone(), wanted },
            None => Unreadable::Ended { column: self.end, wanted },
        })
    }

    fn named(&self, column: usize, name: &str) -> Result<Formula, Unreadable> {
        if let Some(number) = self.names.iter().position(|known| known == name) {
            return Ok(Formula::Is(number));
        }
        if !name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.len() <= 2 {
            let wanted = "a name, `!`, `next(…)` or a bracket";
            return Err(Unreadable::Unexpected { column, found: name.to_owned(), wanted });
        }
        let nearest = model::file::nearest(name, self.names.iter().map(String::as_str)).map(str::to_owned);
        Err(Unreadable::Unknown { column, name: name.to_owned(), nearest })
    }
}
