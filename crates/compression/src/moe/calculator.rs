//! placeholder
use calculator::{Answer, Calculator, CalculatorError};
/// x
pub struct MoeCalculator;
impl Calculator for MoeCalculator {
    fn command(&self) -> clap::Command {
        clap::Command::new("moe")
    }
    fn run(&self, _: &clap::ArgMatches, _: &mut dyn std::io::Read) -> Result<Answer, CalculatorError> {
        Err(CalculatorError::Data(String::new()))
    }
}
