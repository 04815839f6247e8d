//! The members of an object that is built piece by piece: found at once, however many there are.

use std::collections::HashMap;

/// Up to this many members an object is searched from its first to its last.
const FEW_MEMBERS: usize = 16;

/// The members of an object in order of first mention.
#[derive(Debug, Default)]
pub(super) struct Members {
    list: Vec<(Box<str>, usize)>,
    /// Places in the list, once there are many.
    places: HashMap<Box<str>, usize>,
}

impl Members {
    pub(super) fn one(key: &str, node: usize) -> Self {
        let mut members = Self::default();
        members.set(key, node);
        members
    }

    /// Keys and places of values in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        self.list.iter().map(|(key, node)| (&**key, *node))
    }

    fn place(&self, key: &str) -> Option<usize> {
        if self.list.len() <= FEW_MEMBERS {
            return self.list.iter().position(|(known, _)| **known == *key);
        }
        self.places.get(key).copied()
    }

    /// The place of a member's value.
    pub(super) fn get(&self, key: &str) -> Option<usize> {
        self.list.get(self.place(key)?).map(|(_, node)| *node)
    }

    /// Gives a member another value.
    pub(super) fn set(&mut self, key: &str, node: usize) {
        if let Some((_, known)) = self.place(key).and_then(|place| self.list.get_mut(place)) {
            *known = node;
            return;
        }
        self.list.push((key.into(), node));
        if self.list.len() > FEW_MEMBERS {
            // The first time this files all that are there.
            let unfiled = self.list.iter().enumerate().skip(self.places.len());
            self.places.extend(unfiled.map(|(place, (key, _))| (key.clone(), place)));
        }
    }
}
