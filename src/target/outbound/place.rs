//! Places in a body that is edited.

use crate::json::Tree;

/// The value at an RFC 6901 pointer.
pub(super) fn at<'t, 'a>(tree: &'t mut Tree<'a>, pointer: &str) -> Option<&'t mut Tree<'a>> {
    pointer.split('/').skip(1).try_fold(tree, |tree, token| match tree {
        Tree::Array(items) => items.get_mut(token.parse::<usize>().ok()?),
        object => object.get_mut(&token.replace("~1", "/").replace("~0", "~")),
    })
}

/// The array at a pointer.
pub(super) fn list<'t, 'a>(tree: &'t mut Tree<'a>, pointer: &str) -> Option<&'t mut Vec<Tree<'a>>> {
    match at(tree, pointer)? {
        Tree::Array(items) => Some(items),
        _ => None,
    }
}

/// Takes an item out of its list. A message that nothing is left of goes with it.
pub(super) fn remove_item(tree: &mut Tree<'_>, pointer: &str) {
    let Some((parent, index)) = pointer.rsplit_once('/') else { return };
    let (Some(items), Ok(index)) = (list(tree, parent), index.parse::<usize>()) else { return };
    if index >= items.len() {
        return;
    }
    items.remove(index);
    if items.is_empty() {
        // `/messages/3/content` is all that message 3 says.
        if let Some((owner, _)) = parent.rsplit_once('/').filter(|(owner, _)| owner.matches('/').count() > 1) {
            remove_item(tree, owner);
        }
    }
}

/// The key under which a tool, a call or a result holds its name, if not in itself.
pub(super) fn inner_key(item: &Tree<'_>) -> Option<&'static str> {
    ["function", "custom", "functionCall", "functionResponse"]
        .into_iter()
        .find(|key| item.get(key).is_some_and(Tree::is_object))
}

/// Changes what holds the name of a tool, a call or a result: the thing itself, or the object inside of it.
pub(super) fn change<'a>(tree: &mut Tree<'a>, pointer: &str, change: impl FnOnce(&mut Tree<'a>)) {
    let Some(item) = at(tree, pointer) else { return };
    match inner_key(item) {
        Some(key) => {
            if let Some(inner) = item.get_mut(key) {
                change(inner);
            }
        }
        None => change(item),
    }
}
