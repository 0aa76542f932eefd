use crate::{NodeId, Property, Tree, Value};
use std::borrow::Cow;
use std::fmt;
use std::iter::successors;

/// A node of a [`Tree`], for reading.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    tree: &'t Tree,
    id: NodeId,
}

impl<'t> Node<'t> {
    pub(crate) fn new(tree: &'t Tree, id: NodeId) -> Self {
        Node { tree, id }
    }

    /// Its name, for the methods that change the tree.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// The node before it; `None` for the root.
    pub fn parent(self) -> Option<Node<'t>> {
        self.link(self.tree.links(self.id).parent)
    }

    /// The nodes that can follow it: none at an end, several where there are variations, the first of
    /// which is the main line.
    pub fn children(self) -> impl Iterator<Item = Node<'t>> {
        let first = self.link(self.tree.links(self.id).first_child);
        successors(first, |child| child.next_sibling())
    }

    /// This node, its first child, that one's first child, and so on.
    pub fn main_line(self) -> impl Iterator<Item = Node<'t>> {
        successors(Some(self), |node| node.children().next())
    }

    /// The properties in the order of the file.
    pub fn properties(self) -> &'t [Property] {
        &self.tree.links(self.id).properties
    }

    /// The first property of this name. The small letters of old files do not count: `GM` finds
    /// `GaMe`.
    pub fn property(self, name: &str) -> Option<&'t Property> {
        self.properties().iter().find(|p| p.is(name))
    }

    /// The values of all properties of this name.
    pub fn values(self, name: &str) -> impl Iterator<Item = &'t Value> {
        let properties = self.properties().iter().filter(move |p| p.is(name));
        properties.flat_map(Property::values)
    }

    /// The first value of the property of this name, as [`Value::text`].
    pub fn text(self, name: &str) -> Option<Cow<'t, str>> {
        Some(self.property(name)?.value().text())
    }

    /// The first value of the property of this name, as [`Value::simple_text`].
    pub fn simple_text(self, name: &str) -> Option<Cow<'t, str>> {
        Some(self.property(name)?.value().simple_text())
    }

    /// The variation after this one.
    pub(crate) fn next_sibling(self) -> Option<Node<'t>> {
        self.link(self.tree.links(self.id).next_sibling)
    }

    /// Whether it is one of several variations.
    pub(crate) fn has_siblings(self) -> bool {
        self.parent().is_some_and(|parent| {
            let links = self.tree.links(parent.id);
            links.first_child != links.last_child
        })
    }

    fn link(self, id: Option<NodeId>) -> Option<Node<'t>> {
        id.map(|id| self.tree.node(id))
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node")
            .field("id", &self.id)
            .field("properties", &self.properties())
            .finish_non_exhaustive()
    }
}
