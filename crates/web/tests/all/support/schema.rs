//! Values of a schema, values that are none, and what is wrong with a value, as far as schemas are used in
//! the description of the interface.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Union;
use serde_json::{Value, json};

/// The schemas in which a value of a schema may be: that itself, or those it is one of.
fn choices<'a>(described: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    if let Some(name) = schema["$ref"].as_str() {
        let of = described.pointer(name.trim_start_matches('#'));
        return of.map_or_else(Vec::new, |of| choices(described, of));
    }
    let mut kinds = ["oneOf", "anyOf"].iter();
    match kinds.find_map(|kind| schema[kind].as_array()) {
        Some(of) => of.iter().flat_map(|one| choices(described, one)).collect(),
        None => vec![schema],
    }
}

fn kinds(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Where a value is not of a schema.
pub fn fault(described: &Value, schema: &Value, value: &Value) -> Option<String> {
    let all = choices(described, schema);
    let mut faults = all.iter().map(|one| fault_of_one(described, one, value));
    match all.len() {
        1 => faults.next()?,
        _ if faults.any(|fault| fault.is_none()) => None,
        _ => Some(format!("{value} is not {schema}")),
    }
}

fn fault_of_one(described: &Value, schema: &Value, value: &Value) -> Option<String> {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let kinds = kinds(schema);
    let is_number = kind == "integer" && kinds.contains(&"number");
    let allowed = schema["enum"].as_array();
    let too_small = match (value.as_f64(), schema["minimum"].as_f64()) {
        (Some(value), Some(least)) => value < least,
        _ => false,
    };
    if !(kinds.contains(&kind) || is_number)
        || allowed.is_some_and(|allowed| !allowed.contains(value))
        || too_small
    {
        return Some(format!("{value} is not {schema}"));
    }
    if let Value::Array(items) = value {
        let of_item = |item| fault(described, &schema["items"], item);
        return items.iter().find_map(of_item);
    }
    let fields = value.as_object()?;
    let required = schema["required"].as_array().into_iter().flatten();
    let mut required = required.filter_map(Value::as_str);
    if let Some(name) = required.find(|name| !fields.contains_key(*name)) {
        return Some(format!("{value} lacks {name}"));
    }
    let of_field = |(name, field): (&String, &Value)| match schema["properties"].get(name) {
        Some(schema) => fault(described, schema, field),
        None => Some(format!("{name} is not described")),
    };
    fields.iter().find_map(of_field)
}

/// Values of a schema. `name` is what holds them: it lets one expect certain texts.
pub fn values(described: &Value, schema: &Value, name: &str) -> BoxedStrategy<Value> {
    let of_choice = |schema: &&Value| {
        let schema: &Value = schema;
        match schema["enum"].as_array() {
            Some(allowed) => vec![select(allowed.clone()).boxed()],
            None => kinds(schema)
                .into_iter()
                .map(|kind| of_kind(described, schema, kind, name))
                .collect(),
        }
    };
    let all = choices(described, schema);
    Union::new(all.iter().flat_map(of_choice)).boxed()
}

fn of_kind(described: &Value, schema: &Value, kind: &str, name: &str) -> BoxedStrategy<Value> {
    match kind {
        "null" => Just(Value::Null).boxed(),
        "boolean" => any::<bool>().prop_map(Value::from).boxed(),
        "integer" => {
            let least = schema["minimum"].as_i64().unwrap_or(i32::MIN.into());
            let most = i64::from(i32::MAX);
            let numbers = prop_oneof![9 => 0..20i64, 1 => least..=most];
            numbers.prop_map(Value::from).boxed()
        }
        "number" => (-1.0..100.0f64).prop_map(Value::from).boxed(),
        "string" => texts(name).prop_map(Value::from).boxed(),
        "array" => {
            let items = values(described, &schema["items"], name);
            let lists = prop::collection::vec(items, 0..6);
            lists.prop_map(Value::from).boxed()
        }
        "object" => object(described, schema),
        kind => panic!("values of type {kind} are not made here"),
    }
}

fn object(described: &Value, schema: &Value) -> BoxedStrategy<Value> {
    let is_required = |name: &str| {
        let mut required = schema["required"].as_array().into_iter().flatten();
        required.any(|one| one == name)
    };
    let properties = schema["properties"].as_object().into_iter().flatten();
    let fields: Vec<BoxedStrategy<Option<(String, Value)>>> = properties
        .map(|(name, schema)| {
            let field = values(described, schema, name);
            let field = if is_required(name) {
                field.prop_map(Some).boxed()
            } else {
                prop::option::of(field).boxed()
            };
            let name = name.clone();
            field
                .prop_map(move |value| value.map(|value| (name.clone(), value)))
                .boxed()
        })
        .collect();
    fields
        .prop_map(|fields| Value::Object(fields.into_iter().flatten().collect()))
        .boxed()
}

/// Texts that make sense under a name, and now and then any text.
fn texts(name: &str) -> BoxedStrategy<String> {
    let known = match name {
        "size" => "[2-6]|[2-5]x[2-5]x[2-5]",
        "moves" | "move" => "[a-e][1-6]|swap|[a-e][1-6]-[a-e][1-6]",
        "dialect" => "grid|row",
        "setup" => "corner|centre|centre-vertical|[a-d][1-4],[a-d][1-4]",
        "opening" => "any|traditional",
        "level" => "beginner|easy|casual",
        "player" => "papamu|uct|random|dabs",
        "solver" => "papamu|ab|pns",
        "sgf" => r"\(;FF\[4\]GM\[havannah\]SZ\[4\];W\[[a-d][1-4]\]\)",
        _ => "[a-z ]{1,9}",
    };
    let known = proptest::string::string_regex(known).unwrap();
    prop_oneof![8 => known, 1 => ".{0,12}"].boxed()
}

/// Values that are not of a schema, in one place.
pub fn broken(described: &Value, schema: &Value) -> BoxedStrategy<Value> {
    let other = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        Just(json!(-7)),
        Just(json!(0.5)),
        Just(json!("nonsense")),
        Just(json!([])),
        Just(json!({})),
    ];
    let (all, of) = (described.clone(), schema.clone());
    let changed = (
        values(described, schema, ""),
        any::<prop::sample::Index>(),
        other,
    );
    changed
        .prop_map(|(mut value, place, other)| {
            // Each field is changed or taken away; one more is put beside them; or all is something else.
            let names: Vec<String> = value
                .as_object()
                .map_or_else(Vec::new, |fields| fields.keys().cloned().collect());
            let place = place.index(2 * names.len() + 2);
            match (place, names.get(place / 2)) {
                (_, Some(name)) if place % 2 == 0 => value[name] = other,
                (_, Some(name)) => {
                    value.as_object_mut().and_then(|fields| fields.remove(name));
                }
                (place, None) if place % 2 == 0 && value.is_object() => value["unheard-of"] = other,
                _ => value = other,
            }
            value
        })
        .prop_filter("it is broken", move |value| {
            fault(&all, &of, value).is_some()
        })
        .boxed()
}
