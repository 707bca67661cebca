//! Exact covering and packing numbers of finite metric spaces, each with a proof that a second reader can check.
//!
//! A covering number is a least set cover: points, and a ball for each allowed centre. The proof that no smaller cover exists is a tree. A leaf gives
//! integer weights of the uncovered points of which no ball holds more than a capacity, so at least total/capacity balls are needed (a packing is the
//! case of weights 1 and capacity 1); an inner node says that some ball holds a certain uncovered point, with one child for each such ball. A packing
//! number is a largest independent set; the leaves of its tree are groups of points that are pairwise close, of which a packing has one each.
//!
//! The search may be clever and wrong: [`Cover::verify`] and [`Packing::verify`] share no code with it.

/// Points that the search can take.
pub const MAX_POINTS: usize = 1024;
/// Centres that it can take.
pub const MAX_CENTRES: usize = 65_536;
/// Nodes of a proof before the search gives up.
const MAX_NODES: usize = 1_000_000;

/// Why there is no number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoverError {
    /// A point outside every ball.
    #[error("point {point} is in no ball of any allowed centre")]
    Uncovered {
        /// The point, from 0.
        point: usize,
    },
    /// More than the search is made for.
    #[error("{points} points and {centres} centres; exact numbers are found for up to {MAX_POINTS} points and {MAX_CENTRES} centres")]
    TooLarge {
        /// Points given.
        points: usize,
        /// Centres given.
        centres: usize,
    },
    /// The tree grew too large.
    #[error("not settled after {MAX_NODES} nodes: the number is between {lower} and {upper}")]
    Unsettled {
        /// A proved lower bound.
        lower: usize,
        /// The best found.
        upper: usize,
    },
}

/// Why a proof is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// The cover or packing itself is wrong.
    #[error("what was found is no solution at {at}")]
    Solution {
        /// The point.
        at: usize,
    },
    /// A step that does not follow.
    #[error("node {node} of the proof does not follow: {reason}")]
    Node {
        /// Its number.
        node: usize,
        /// Why.
        reason: &'static str,
    },
}

/// Weights of points of which no allowed ball holds more than the capacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// (point, weight); a point that is not listed weighs 0.
    pub weights: Vec<(usize, u64)>,
    /// The capacity, at least 1.
    pub capacity: u64,
}

/// What becomes of one ball at a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// The ball is taken; what follows is the node of this number.
    Node(usize),
    /// It holds no uncovered point that the ball of this earlier centre of the same branch does not hold.
    Dominated(usize),
}

/// One step of the proof that a cover is least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// These weights (an index into [`Cover::weights`]), restricted to the uncovered points, need too many balls.
    Weighed(usize),
    /// Some ball holds this uncovered point: each allowed one in turn, and once tried it is no longer allowed.
    Branch {
        /// The point.
        point: usize,
        /// (centre, what becomes of it), in order.
        children: Vec<(usize, Child)>,
    },
}

/// A least cover and the proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// The chosen centres, ascending.
    pub centres: Vec<usize>,
    /// (centre, another one): the first one's ball is inside the other's; it is not used further on. The other ones are all kept.
    pub dropped: Vec<(usize, usize)>,
    /// The proof's weights.
    pub weights: Vec<Weights>,
    /// The proof's steps; the root is the first.
    pub steps: Vec<Step>,
}

/// One step of the proof that a packing is largest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// (point, group): the candidates of a group are pairwise close, so a packing holds at most one of each.
    pub groups: Vec<(u16, u16)>,
    /// The other candidates in turn, each with the node where it is taken; once tried it is no longer a candidate.
    pub branches: Vec<(usize, usize)>,
}

/// A largest packing and the proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    /// The chosen points, ascending.
    pub points: Vec<usize>,
    /// The proof's steps; the root is the first.
    pub steps: Vec<Division>,
}

/// A set of up to 64 W small integers.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Mask<const W: usize>([u64; W]);

impl<const W: usize> Mask<W> {
    const EMPTY: Self = Mask([0; W]);

    fn of(indices: impl IntoIterator<Item = usize>) -> Self {
        let mut mask = Self::EMPTY;
        for index in indices {
            mask.insert(index);
        }
        mask
    }

    fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn remove(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }

    fn contains(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    fn zip(&self, other: &Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Mask(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }

    fn and(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    fn or(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    fn without(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn is_inside(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors((word != 0).then_some(word), |&rest| Some(rest & (rest - 1)).filter(|&rest| rest != 0))
                .map(move |rest| index * 64 + rest.trailing_zeros() as usize)
        })
    }
}

/// The least number of balls that hold all points; `within(p, c)` says whether the closed ball around centre c holds point p.
///
/// # Errors
/// [`CoverError`] when a point is in no ball, when the sizes are out of reach, or when the proof grows too large.
pub fn cover(points: usize, centres: usize, within: impl Fn(usize, usize) -> bool) -> Result<Cover, CoverError> {
    match points {
        0..=64 => CoverSearch::<1>::run(points, centres, within),
        65..=256 => CoverSearch::<4>::run(points, centres, within),
        257..=MAX_POINTS if centres <= MAX_CENTRES => CoverSearch::<16>::run(points, centres, within),
        _ => Err(CoverError::TooLarge { points, centres }),
    }
}

struct CoverSearch<const W: usize> {
    /// Kept centres, largest balls first, and their balls.
    centres: Vec<usize>,
    balls: Vec<Mask<W>>,
    /// For each point the positions of the kept balls that hold it.
    holders: Vec<Vec<usize>>,
    /// For each point all points that share a kept ball with it.
    sharing: Vec<Mask<W>>,
    /// Points, those in few balls first.
    order: Vec<usize>,
    dropped: Vec<(usize, usize)>,
    best: Vec<usize>,
    weights: Vec<Weights>,
    /// The root's weights by point, where they were sought.
    root: Option<Vec<u64>>,
    steps: Vec<Step>,
}

impl<const W: usize> CoverSearch<W> {
    fn run(points: usize, centres: usize, within: impl Fn(usize, usize) -> bool) -> Result<Cover, CoverError> {
        if centres > MAX_CENTRES {
            return Err(CoverError::TooLarge { points, centres });
        }
        let mut all: Vec<(usize, Mask<W>)> = (0..centres).map(|c| (c, Mask::of((0..points).filter(|&p| within(p, c))))).collect();
        let reached = all.iter().fold(Mask::EMPTY, |mask, (_, ball)| mask.or(ball));
        if let Some(point) = (0..points).find(|&p| !reached.contains(p)) {
            return Err(CoverError::Uncovered { point });
        }
        // Large balls first, so that a ball inside another comes after it.
        all.sort_by_key(|(c, ball)| (std::cmp::Reverse(ball.count()), *c));
        let (mut kept, mut dropped): (Vec<(usize, Mask<W>)>, _) = (Vec::new(), Vec::new());
        for (c, ball) in all {
            match kept.iter().find(|(_, larger)| ball.is_inside(larger)) {
                Some((larger, _)) => dropped.push((c, *larger)),
                None => kept.push((c, ball)),
            }
        }
        let (centres, balls): (Vec<usize>, Vec<Mask<W>>) = kept.into_iter().unzip();
        let holders: Vec<Vec<usize>> = (0..points).map(|p| (0..balls.len()).filter(|&i| balls[i].contains(p)).collect()).collect();
        let sharing: Vec<Mask<W>> = holders.iter().map(|list| list.iter().fold(Mask::EMPTY, |mask, &i| mask.or(&balls[i]))).collect();
        let mut order: Vec<usize> = (0..points).collect();
        order.sort_by_key(|&p| (sharing[p].count(), holders[p].len(), p));
        let mut search =
            CoverSearch { centres, balls, holders, sharing, order, dropped, best: Vec::new(), weights: Vec::new(), root: None, steps: Vec::new() };
        let everything = Mask::of(0..points);
        search.best = search.greedy(&everything);
        let allowed = vec![true; search.balls.len()];
        if search.packed(&everything).len() < search.best.len() {
            search.weigh_root(points);
        }
        let lower = search.lower(&everything);
        search.node(&everything, &allowed, &mut Vec::new()).map_err(|()| CoverError::Unsettled { lower, upper: search.best.len() })?;
        let mut chosen: Vec<usize> = search.best.iter().map(|&i| search.centres[i]).collect();
        chosen.sort_unstable();
        Ok(Cover { centres: chosen, dropped: search.dropped, weights: search.weights, steps: search.steps })
    }

    /// A cover by always taking the ball with the most uncovered points, then without what turns out superfluous.
    fn greedy(&self, everything: &Mask<W>) -> Vec<usize> {
        let (mut left, mut chosen) = (*everything, Vec::new());
        while !left.is_empty() {
            let Some(next) = (0..self.balls.len()).max_by_key(|&i| (self.balls[i].and(&left).count(), std::cmp::Reverse(i))) else { break };
            left = left.without(&self.balls[next]);
            chosen.push(next);
        }
        for index in (0..chosen.len()).rev() {
            let others = chosen.iter().enumerate().filter(|(i, _)| *i != index).fold(Mask::EMPTY, |mask, (_, &i)| mask.or(&self.balls[i]));
            if everything.is_inside(&others) {
                chosen.remove(index);
            }
        }
        chosen
    }

    /// Uncovered points no two of which share a ball.
    fn packed(&self, uncovered: &Mask<W>) -> Vec<usize> {
        let (mut free, mut chosen) = (*uncovered, Vec::new());
        for &p in &self.order {
            if free.contains(p) {
                chosen.push(p);
                free = free.without(&self.sharing[p]);
            }
        }
        chosen
    }

    /// Weights close to the best fractional ones: the point whose balls are lightest so far gains one, and its balls grow heavier by a tenth. (The floats
    /// choose; the weights and their capacity are integers, counted.)
    fn weigh_root(&mut self, points: usize) {
        let mut heavy = vec![1.0_f64; self.balls.len()];
        let mut price: Vec<f64> = self.holders.iter().map(|list| list.len() as f64).collect();
        let (mut load, mut weight) = (vec![0_u64; self.balls.len()], vec![0_u64; points]);
        let mut best: Option<(u64, u64, Vec<u64>)> = None;
        let mut total = 0;
        for _ in 0..40 * points {
            let Some(p) = (0..points).min_by(|&a, &b| price[a].total_cmp(&price[b])) else { return };
            weight[p] += 1;
            total += 1;
            for &i in &self.holders[p] {
                load[i] += 1;
                let more = heavy[i] * 0.1;
                heavy[i] += more;
                for q in self.balls[i].iter() {
                    price[q] += more;
                }
            }
            let capacity = load.iter().copied().max().unwrap_or(1);
            if best.as_ref().is_none_or(|(sum, most, _)| total * most > sum * capacity) {
                best = Some((total, capacity, weight.clone()));
            }
            if price[p] > 1e200 {
                heavy.iter_mut().chain(&mut price).for_each(|value| *value *= 1e-200);
            }
        }
        if let Some((_, capacity, weight)) = best {
            let weights = weight.iter().enumerate().filter(|(_, w)| **w > 0).map(|(p, &w)| (p, w)).collect();
            self.weights.push(Weights { weights, capacity });
            self.root = Some(weight);
        }
    }

    /// Balls that the root's weights ask for.
    fn weighed(&self, uncovered: &Mask<W>) -> usize {
        match (&self.root, self.weights.first()) {
            (Some(weight), Some(root)) => (uncovered.iter().map(|p| weight[p]).sum::<u64>().div_ceil(root.capacity)) as usize,
            _ => 0,
        }
    }

    fn lower(&self, uncovered: &Mask<W>) -> usize {
        self.weighed(uncovered).max(self.packed(uncovered).len())
    }

    /// Proves that with the chosen balls there is no cover smaller than the best, or finds one. Returns the node's number.
    fn node(&mut self, uncovered: &Mask<W>, allowed: &[bool], chosen: &mut Vec<usize>) -> Result<usize, ()> {
        if self.steps.len() >= MAX_NODES {
            return Err(());
        }
        let number = self.steps.len();
        if uncovered.is_empty() && chosen.len() < self.best.len() {
            self.best.clone_from(chosen);
        }
        if chosen.len() + self.weighed(uncovered) >= self.best.len() && self.root.is_some() {
            self.steps.push(Step::Weighed(0));
            return Ok(number);
        }
        let packed = self.packed(uncovered);
        if chosen.len() + packed.len() >= self.best.len() {
            self.weights.push(Weights { weights: packed.into_iter().map(|p| (p, 1)).collect(), capacity: 1 });
            self.steps.push(Step::Weighed(self.weights.len() - 1));
            return Ok(number);
        }
        // The uncovered point in the fewest allowed balls; below the bound there is one.
        let fewest = |p: &usize| self.holders[*p].iter().filter(|&&i| allowed[i]).count();
        let Some(point) = uncovered.iter().min_by_key(fewest) else { return Err(()) };
        let mut candidates: Vec<(usize, Mask<W>)> =
            self.holders[point].iter().filter(|&&i| allowed[i]).map(|&i| (i, self.balls[i].and(uncovered))).collect();
        candidates.sort_by_key(|(i, gain)| (std::cmp::Reverse(gain.count()), *i));
        self.steps.push(Step::Branch { point, children: Vec::new() });
        let mut allowed = allowed.to_vec();
        let (mut tried, mut children): (Vec<(usize, Mask<W>)>, _) = (Vec::new(), Vec::new());
        for (i, gain) in candidates {
            let child = match tried.iter().find(|(_, larger)| gain.is_inside(larger)) {
                Some((larger, _)) => Child::Dominated(self.centres[*larger]),
                None => {
                    chosen.push(i);
                    let node = self.node(&uncovered.without(&gain), &allowed, chosen);
                    chosen.pop();
                    tried.push((i, gain));
                    Child::Node(node?)
                }
            };
            children.push((self.centres[i], child));
            allowed[i] = false;
        }
        self.steps[number] = Step::Branch { point, children };
        Ok(number)
    }
}

impl Cover {
    /// The covering number.
    #[must_use]
    pub fn size(&self) -> usize {
        self.centres.len()
    }

    /// Checks that this is a cover and that the proof shows that none is smaller.
    ///
    /// # Errors
    /// [`ProofError`] with the first thing that does not follow.
    pub fn verify(&self, points: usize, centres: usize, within: impl Fn(usize, usize) -> bool) -> Result<(), ProofError> {
        if let Some(at) = (0..points).find(|&p| !self.centres.iter().any(|&c| c < centres && within(p, c))) {
            return Err(ProofError::Solution { at });
        }
        let mut allowed = vec![true; centres];
        for &(c, _) in &self.dropped {
            if c >= centres {
                return Err(ProofError::Node { node: 0, reason: "an unknown centre is dropped" });
            }
            allowed[c] = false;
        }
        for &(c, larger) in &self.dropped {
            if larger >= centres || !allowed[larger] || (0..points).any(|p| within(p, c) && !within(p, larger)) {
                return Err(ProofError::Node { node: 0, reason: "a dropped ball is not inside one that is kept" });
            }
        }
        let uncovered = vec![true; points];
        self.follow(0, &uncovered, &allowed, 0, &within)
    }

    fn follow(
        &self,
        node: usize,
        uncovered: &[bool],
        allowed: &[bool],
        used: usize,
        within: &impl Fn(usize, usize) -> bool,
    ) -> Result<(), ProofError> {
        let fault = |reason| Err(ProofError::Node { node, reason });
        match self.steps.get(node) {
            None => fault("there is no such node"),
            Some(Step::Weighed(index)) => {
                let Some(table) = self.weights.get(*index) else { return fault("there are no such weights") };
                let left: Vec<(usize, u64)> = table.weights.iter().copied().filter(|&(p, _)| uncovered.get(p).copied().unwrap_or(false)).collect();
                if table.capacity == 0 {
                    return fault("the capacity is 0");
                }
                let mut once: Vec<usize> = left.iter().map(|&(p, _)| p).collect();
                once.sort_unstable();
                if once.windows(2).any(|pair| pair[0] == pair[1]) {
                    return fault("a point is weighed twice");
                }
                let held = |c: usize| left.iter().filter(|&&(p, _)| within(p, c)).map(|&(_, w)| u128::from(w)).sum::<u128>();
                if (0..allowed.len()).any(|c| allowed[c] && held(c) > u128::from(table.capacity)) {
                    return fault("a ball holds more than the capacity");
                }
                let total: u128 = left.iter().map(|&(_, w)| u128::from(w)).sum();
                let needed = total.div_ceil(u128::from(table.capacity));
                if used as u128 + needed >= self.centres.len() as u128 { Ok(()) } else { fault("the weights need too few balls") }
            }
            Some(Step::Branch { point, children }) => {
                if !uncovered.get(*point).copied().unwrap_or(false) {
                    return fault("the branch point is covered already");
                }
                let mut allowed = allowed.to_vec();
                let listed = children.iter().map(|(c, _)| *c).collect::<Vec<_>>();
                if (0..allowed.len()).any(|c| allowed[c] && within(*point, c) && !listed.contains(&c)) {
                    return fault("a ball that holds the branch point is not tried");
                }
                let mut tried: Vec<usize> = Vec::new();
                for &(c, child) in children {
                    if !allowed.get(c).copied().unwrap_or(false) {
                        return fault("a ball is tried that is not allowed");
                    }
                    match child {
                        Child::Node(next) => {
                            if next <= node {
                                return fault("a child comes before its parent");
                            }
                            let left: Vec<bool> = uncovered.iter().enumerate().map(|(p, open)| *open && !within(p, c)).collect();
                            self.follow(next, &left, &allowed, used + 1, within)?;
                            tried.push(c);
                        }
                        Child::Dominated(larger) => {
                            let more = uncovered.iter().enumerate().any(|(p, open)| *open && within(p, c) && !within(p, larger));
                            if !tried.contains(&larger) || more {
                                return fault("a ball is not inside an earlier one");
                            }
                        }
                    }
                    allowed[c] = false;
                }
                Ok(())
            }
        }
    }
}

/// The largest number of points no two of which are close.
///
/// # Errors
/// [`CoverError`] when there are too many points or the proof grows too large.
pub fn packing(points: usize, close: impl Fn(usize, usize) -> bool) -> Result<Packing, CoverError> {
    match points {
        0..=64 => PackingSearch::<1>::run(points, close),
        65..=256 => PackingSearch::<4>::run(points, close),
        257..=MAX_POINTS => PackingSearch::<16>::run(points, close),
        _ => Err(CoverError::TooLarge { points, centres: points }),
    }
}

struct PackingSearch<const W: usize> {
    /// For each point the points close to it, itself among them.
    close: Vec<Mask<W>>,
    /// Points, those close to few first.
    order: Vec<usize>,
    best: Vec<usize>,
    steps: Vec<Division>,
}

impl<const W: usize> PackingSearch<W> {
    fn run(points: usize, close: impl Fn(usize, usize) -> bool) -> Result<Packing, CoverError> {
        let close: Vec<Mask<W>> = (0..points).map(|p| Mask::of((0..points).filter(|&q| p == q || close(p, q)))).collect();
        let mut order: Vec<usize> = (0..points).collect();
        order.sort_by_key(|&p| (close[p].count(), p));
        let mut search = PackingSearch { close, order, best: Vec::new(), steps: Vec::new() };
        let mut free = Mask::of(0..points);
        for &p in &search.order {
            if free.contains(p) {
                search.best.push(p);
                free = free.without(&search.close[p]);
            }
        }
        let everything = Mask::of(0..points);
        let upper = search.divide(&everything, points).0.iter().map(|&(_, group)| usize::from(group) + 1).max().unwrap_or(0);
        search
            .node(everything, &mut Vec::new())
            .map_err(|()| CoverError::Unsettled { lower: search.best.len(), upper: upper.max(search.best.len()) })?;
        search.best.sort_unstable();
        Ok(Packing { points: search.best, steps: search.steps })
    }

    /// At most `most` groups of pairwise close candidates, as (point, group); and the candidates that fit into none.
    fn divide(&self, candidates: &Mask<W>, most: usize) -> (Vec<(u16, u16)>, Vec<usize>) {
        // What is close to all of a group, for each group.
        let mut common: Vec<Mask<W>> = Vec::new();
        let (mut members, mut rest) = (Vec::new(), Vec::new());
        for &p in self.order.iter().filter(|&&p| candidates.contains(p)) {
            match common.iter().position(|mask| mask.contains(p)) {
                Some(group) => {
                    common[group] = common[group].and(&self.close[p]);
                    members.push((p as u16, group as u16));
                }
                None if common.len() < most => {
                    members.push((p as u16, common.len() as u16));
                    common.push(self.close[p]);
                }
                None => rest.push(p),
            }
        }
        members.shrink_to_fit();
        (members, rest)
    }

    fn node(&mut self, mut candidates: Mask<W>, chosen: &mut Vec<usize>) -> Result<usize, ()> {
        if self.steps.len() >= MAX_NODES {
            return Err(());
        }
        if chosen.len() > self.best.len() {
            self.best.clone_from(chosen);
        }
        let number = self.steps.len();
        let (groups, rest) = self.divide(&candidates, self.best.len() - chosen.len());
        self.steps.push(Division { groups, branches: Vec::new() });
        let mut branches = Vec::new();
        for p in rest {
            chosen.push(p);
            let node = self.node(candidates.without(&self.close[p]), chosen);
            chosen.pop();
            branches.push((p, node?));
            candidates.remove(p);
        }
        self.steps[number].branches = branches;
        Ok(number)
    }
}

impl Packing {
    /// The packing number.
    #[must_use]
    pub fn size(&self) -> usize {
        self.points.len()
    }

    /// Checks that this is a packing and that the proof shows that none is larger.
    ///
    /// # Errors
    /// [`ProofError`] with the first thing that does not follow.
    pub fn verify(&self, points: usize, close: impl Fn(usize, usize) -> bool) -> Result<(), ProofError> {
        for (index, &p) in self.points.iter().enumerate() {
            if p >= points || self.points[..index].iter().any(|&q| p == q || close(p, q)) {
                return Err(ProofError::Solution { at: p });
            }
        }
        let candidates = vec![true; points];
        self.follow(0, candidates, 0, &close)
    }

    fn follow(&self, node: usize, mut candidates: Vec<bool>, used: usize, close: &impl Fn(usize, usize) -> bool) -> Result<(), ProofError> {
        let fault = |reason| Err(ProofError::Node { node, reason });
        let Some(step) = self.steps.get(node) else { return fault("there is no such node") };
        for &(p, next) in &step.branches {
            if next <= node || !candidates.get(p).copied().unwrap_or(false) {
                return fault("a branch is no candidate or comes before its parent");
            }
            let left = candidates.iter().enumerate().map(|(q, open)| *open && q != p && !close(p, q)).collect();
            self.follow(next, left, used + 1, close)?;
            candidates[p] = false;
        }
        let mut listed = vec![false; candidates.len()];
        for (index, &(p, group)) in step.groups.iter().enumerate() {
            let p = usize::from(p);
            let apart = |&(q, other): &(u16, u16)| other == group && usize::from(q) != p && !close(p, usize::from(q));
            if p >= listed.len() || step.groups[..index].iter().any(apart) {
                return fault("a group is not pairwise close");
            }
            listed[p] = true;
        }
        if (0..candidates.len()).any(|q| candidates[q] && !listed[q]) {
            return fault("a candidate is in no group");
        }
        let mut names: Vec<u16> = step.groups.iter().map(|&(_, group)| group).collect();
        names.sort_unstable();
        names.dedup();
        if used + names.len() <= self.points.len() { Ok(()) } else { fault("there are more groups than the packing has points") }
    }
}

/// A maximal packing by going through the points in order: each is taken unless it is close to one taken before.
#[must_use]
pub fn greedy_packing(points: usize, close: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    for p in 0..points {
        if !chosen.iter().any(|&q| close(p, q)) {
            chosen.push(p);
        }
    }
    chosen
}

/// The covering number at every radius: for ascending distances (0 first), the number from each on until the next. `number(i)` is the covering number at
/// the i-th distance; as it does not rise, stretches with equal ends are filled without asking.
///
/// # Errors
/// Whatever `number` answers.
pub fn profile<E>(distances: usize, mut number: impl FnMut(usize) -> Result<usize, E>) -> Result<Vec<usize>, E> {
    let mut values: Vec<Option<usize>> = vec![None; distances];
    if distances == 0 {
        return Ok(Vec::new());
    }
    let mut stack = vec![(0, distances - 1)];
    for end in [0, distances - 1] {
        values[end] = Some(number(end)?);
    }
    while let Some((low, high)) = stack.pop() {
        if values[low] == values[high] {
            let value = values[low];
            values[low..=high].fill(value);
        } else if high - low > 1 {
            let mid = usize::midpoint(low, high);
            values[mid] = Some(number(mid)?);
            stack.extend([(low, mid), (mid, high)]);
        }
    }
    Ok(values.into_iter().flatten().collect())
}
