//! Evaluation of what computes with numbers.

use crate::EvaluationError;
use crate::code::{Arithmetic, At, Binary, Items, Unary};
use crate::evaluate::{Evaluated, Program, finite};

impl Program<'_> {
    pub(crate) fn arithmetic(&self, operation: Arithmetic, a: At, b: At) -> Evaluated<f64> {
        let name = match operation {
            Arithmetic::Subtract => "`-`",
            Arithmetic::Multiply => "`*`",
            Arithmetic::Divide => "`/`",
            Arithmetic::Remainder => "`%`",
        };
        let (left, right) = (self.number(a, name)?, self.number(b, name)?);
        let result = match operation {
            Arithmetic::Subtract => left - right,
            Arithmetic::Multiply => left * right,
            Arithmetic::Divide | Arithmetic::Remainder if right == 0.0 => return Err(EvaluationError::DivisionByZero),
            Arithmetic::Divide => left / right,
            Arithmetic::Remainder => left % right,
        };
        finite(result, name)
    }

    /// From `libm`, so that every machine computes the same bits; the rest is exact by IEEE 754.
    pub(crate) fn unary(&self, function: Unary, x: At) -> Evaluated<f64> {
        let (name, compute): (_, fn(f64) -> f64) = match function {
            Unary::Abs => ("abs", f64::abs),
            Unary::Floor => ("floor", f64::floor),
            Unary::Ceil => ("ceil", f64::ceil),
            Unary::Round => ("round", f64::round),
            Unary::Sqrt => ("sqrt", libm::sqrt),
            Unary::Sin => ("sin", libm::sin),
            Unary::Cos => ("cos", libm::cos),
            Unary::Degrees => ("deg", f64::to_degrees),
            Unary::Radians => ("rad", f64::to_radians),
        };
        finite(compute(self.number(x, name)?), name)
    }

    pub(crate) fn binary(&self, function: Binary, x: At, y: At) -> Evaluated<f64> {
        let (name, compute): (_, fn(f64, f64) -> f64) = match function {
            Binary::Atan2 => ("atan2", libm::atan2),
            Binary::Hypot => ("hypot", libm::hypot),
        };
        finite(compute(self.number(x, name)?, self.number(y, name)?), name)
    }

    pub(crate) fn clamp(&self, x: At, low: At, high: At) -> Evaluated<f64> {
        let (x, low, high) = (self.number(x, "clamp")?, self.number(low, "clamp")?, self.number(high, "clamp")?);
        if low > high {
            return Err(EvaluationError::Limits { low, high });
        }
        // Not f64::min and max, whose sign of zero differs between machines.
        Ok(if x < low {
            low
        } else if x > high {
            high
        } else {
            x
        })
    }

    pub(crate) fn extreme(&self, items: Items, name: &'static str, better: fn(f64, f64) -> bool) -> Evaluated<f64> {
        let mut best: Option<f64> = None;
        for item in self.operands(items) {
            let x = self.number(item, name)?;
            best = Some(best.filter(|best| !better(*best, x)).unwrap_or(x));
        }
        best.ok_or(EvaluationError::NotFinite(name))
    }
}
