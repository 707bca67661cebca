//! The random ensemble: draws of 0 and 1 for the statistical route.

use super::algorithm::{Entrant, scores_matrix};
use sample::Words;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ensemble {
    /// The order by row sums minimizes F.
    Recovered,
    /// The tournament has no cycle.
    Transitive,
}

const SOURCES: usize = 3;
const DIMENSION: usize = 4;

/// Fills `out` with independent draws. Doubles decide the order: ties have probability 0, and a rounding error would have to turn a sign.
pub fn ensemble(what: Ensemble, words: &mut dyn Words, out: &mut [f64]) {
    let mut normals = vec![0.0; DIMENSION * (1 + SOURCES) + SOURCES * DIMENSION * DIMENSION];
    for slot in out {
        normals.fill_with(|| sample::normal(words));
        let (vectors, matrices) = normals.split_at(DIMENSION * (1 + SOURCES));
        let (g_e, gradients) = vectors.split_at(DIMENSION);
        let entrants: Vec<Entrant<f64>> = gradients
            .chunks_exact(DIMENSION)
            .zip(matrices.chunks_exact(DIMENSION * DIMENSION))
            .map(|(g, z)| {
                let curved =
                    (0..DIMENSION).map(|i| (0..DIMENSION).map(|j| (z[i * DIMENSION + j] + z[j * DIMENSION + i]) * 0.5 * g_e[j]).sum()).collect();
                Entrant { gradient: g.to_vec(), curved }
            })
            .collect();
        let sigma = scores_matrix(&entrants);
        let yes = match what {
            Ensemble::Transitive => {
                let turns = [sigma[0][1] < 0.0, sigma[1][2] < 0.0, sigma[2][0] < 0.0];
                turns != [true; 3] && turns != [false; 3]
            }
            Ensemble::Recovered => {
                let sums: Vec<f64> = sigma.iter().map(|row| row.iter().sum()).collect();
                let mut order = [0, 1, 2];
                order.sort_by(|&i, &j| sums[i].total_cmp(&sums[j]));
                let value = |order: [usize; SOURCES]| sigma[order[0]][order[1]] + sigma[order[0]][order[2]] + sigma[order[1]][order[2]];
                let least = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map(value).into_iter().fold(f64::INFINITY, f64::min);
                value(order) == least
            }
        };
        *slot = if yes { 1.0 } else { 0.0 };
    }
}
