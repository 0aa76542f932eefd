use crate::{Node, Property, Value};
use std::iter::successors;
use std::num::NonZeroU32;

/// Names a node of a [`Tree`].
// Its place among the nodes, counted from 1, so that `Option<NodeId>` is as small as this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    /// The root, which every tree has.
    pub const ROOT: NodeId = NodeId(NonZeroU32::MIN);

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// What the tree keeps of a node. Children hang together by links, so that no operation needs a stack.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    pub(crate) parent: Option<NodeId>,
    pub(crate) first_child: Option<NodeId>,
    pub(crate) last_child: Option<NodeId>,
    pub(crate) next_sibling: Option<NodeId>,
    pub(crate) properties: Vec<Property>,
}

/// A game tree: a root and, after each node, its variations in order, the first of them being the main
/// line.
///
/// Two trees are equal if their nodes, in the same places, have the same properties in the same order,
/// written in the same way.
///
/// Any depth is fine: nothing here is recursive. The methods that take a [`NodeId`] panic if it is of
/// another, larger tree.
#[derive(Clone, Debug)]
pub struct Tree {
    // The root comes first.
    nodes: Vec<Links>,
}

impl Tree {
    /// A tree that has only a root, without properties.
    pub fn new() -> Self {
        Tree {
            nodes: vec![Links::default()],
        }
    }

    /// The number of nodes, the root included: at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a tree has a root")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The root, which holds what is said of the whole game.
    pub fn root(&self) -> Node<'_> {
        self.node(NodeId::ROOT)
    }

    /// The node of that name.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        Node::new(self, id)
    }

    /// The root, its first child, that one's first child, and so on.
    pub fn main_line(&self) -> impl Iterator<Item = Node<'_>> {
        self.root().main_line()
    }

    /// All nodes in the order of a file: each node is followed by its first child with all that comes
    /// after it, then by the second.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        successors(Some(self.root()), |node| {
            node.children().next().or_else(|| {
                let mut up = successors(Some(*node), |above| above.parent());
                up.find_map(Node::next_sibling)
            })
        })
    }

    /// Adds a node after `parent`, as its last variation.
    ///
    /// # Panics
    /// If the tree has 2³² − 1 nodes already.
    pub fn add_child(&mut self, parent: NodeId) -> NodeId {
        let place = u32::try_from(self.nodes.len()).ok();
        let place = place.and_then(|before| NonZeroU32::MIN.checked_add(before));
        let id = NodeId(place.expect("fewer than 2^32 nodes"));
        match self.links_mut(parent).last_child.replace(id) {
            Some(last) => self.links_mut(last).next_sibling = Some(id),
            None => self.links_mut(parent).first_child = Some(id),
        }
        self.nodes.push(Links {
            parent: Some(parent),
            ..Links::default()
        });
        id
    }

    /// Gives the node this property with this one value, in the place of all that it had of that name,
    /// or else at the end. Text is escaped.
    ///
    /// # Panics
    /// If the name is no [identifier](crate::is_identifier).
    pub fn set(&mut self, id: NodeId, name: &str, value: impl Into<Value>) {
        let property = Property::new(name, [value]);
        let properties = self.properties_mut(id);
        match properties.iter().position(|p| p.is(name)) {
            None => properties.push(property),
            Some(place) => {
                properties[place] = property;
                let mut later = properties.split_off(place + 1);
                later.retain(|p| !p.is(name));
                properties.append(&mut later);
            }
        }
    }

    /// Adds a value to the node's property of this name, or the property if there is none. Text is
    /// escaped.
    ///
    /// # Panics
    /// If the name is no [identifier](crate::is_identifier).
    pub fn append(&mut self, id: NodeId, name: &str, value: impl Into<Value>) {
        let properties = self.properties_mut(id);
        match properties.iter_mut().rfind(|p| p.is(name)) {
            Some(property) => property.push(value),
            None => properties.push(Property::new(name, [value])),
        }
    }

    /// Removes the node's properties of this name, and tells whether there were any.
    pub fn remove(&mut self, id: NodeId, name: &str) -> bool {
        let properties = self.properties_mut(id);
        let before = properties.len();
        properties.retain(|p| !p.is(name));
        properties.len() < before
    }

    /// The properties of a node, for changes of every other kind.
    pub fn properties_mut(&mut self, id: NodeId) -> &mut Vec<Property> {
        &mut self.links_mut(id).properties
    }

    pub(crate) fn links(&self, id: NodeId) -> &Links {
        &self.nodes[id.index()]
    }

    fn links_mut(&mut self, id: NodeId) -> &mut Links {
        &mut self.nodes[id.index()]
    }
}

impl Default for Tree {
    fn default() -> Self {
        Tree::new()
    }
}

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        // The numbers of children, in this order, tell the shape.
        let told = |node: Node<'_>| node.children().count();
        self.len() == other.len()
            && self
                .nodes()
                .zip(other.nodes())
                .all(|(a, b)| a.properties() == b.properties() && told(a) == told(b))
    }
}

impl Eq for Tree {}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(node: Node<'_>) -> String {
        node.simple_text("N").expect("a name").into_owned()
    }

    /// `(root (a (b) (c)) (d))`, grown in an order that is not the file's.
    fn grown() -> Tree {
        let mut tree = Tree::new();
        tree.set(NodeId::ROOT, "N", "root");
        let [a, d] = ["a", "d"].map(|name| {
            let id = tree.add_child(NodeId::ROOT);
            tree.set(id, "N", name);
            id
        });
        for name in ["b", "c"] {
            let id = tree.add_child(a);
            tree.set(id, "N", name);
        }
        assert_eq!(tree.node(d).parent().map(named), Some("root".into()));
        tree
    }

    #[test]
    fn walks() {
        let tree = grown();
        let walked: Vec<String> = tree.nodes().map(named).collect();
        assert_eq!(walked, ["root", "a", "b", "c", "d"]);
        let line: Vec<String> = tree.main_line().map(named).collect();
        assert_eq!(line, ["root", "a", "b"]);
        let children: Vec<String> = tree.root().children().map(named).collect();
        assert_eq!(children, ["a", "d"]);
    }

    #[test]
    fn equality_is_of_shape_and_properties() {
        let read = crate::read(b"(;N[root](;N[a](;N[b])(;N[c]))(;N[d]))").expect("reads");
        assert_eq!(read.trees[0], grown());
        for other in [
            "(;N[root](;N[a](;N[b])(;N[c])(;N[d])))",
            "(;N[root](;N[a](;N[b];N[c]))(;N[d]))",
            "(;N[root](;N[a](;N[b])(;N[c]))(;N[e]))",
            "(;N[root](;N[a](;N[b])(;N[c])))",
        ] {
            let other: crate::Collection = other.parse().expect("reads");
            assert_ne!(other.trees[0], grown());
        }
    }

    #[test]
    fn properties_are_set_appended_and_removed() {
        let mut tree = Tree::new();
        let root = NodeId::ROOT;
        *tree.properties_mut(root) = vec![
            Property::new("GaMe", ["1"]),
            Property::new("AB", ["a1"]),
            Property::new("XX", ["kept"]),
            Property::new("AB", ["b2"]),
        ];
        tree.append(root, "AB", "c3");
        let all: Vec<&str> = tree.root().values("AB").map(Value::raw).collect();
        assert_eq!(all, ["a1", "b2", "c3"]);

        tree.set(root, "AB", "]");
        tree.set(root, "GM", "2");
        tree.set(root, "ZZ", "new");
        assert_eq!(tree.to_string(), "(;GM[2]AB[\\]]XX[kept]ZZ[new])\n");

        assert!(tree.remove(root, "AB"));
        assert!(!tree.remove(root, "AB"));
        assert_eq!(tree.to_string(), "(;GM[2]XX[kept]ZZ[new])\n");
    }

    #[test]
    #[should_panic(expected = "not a property identifier")]
    fn what_is_no_identifier_is_refused() {
        Tree::new().set(NodeId::ROOT, "B[", "a1");
    }
}
