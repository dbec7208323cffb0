//! A small model, written as the bytes of its ONNX file. It answers to red and green.
//!
//! It gets 64 × 64 pixels. Cells of 4 × 4 pixels have a redness (red less green and blue) and a greenness. The 9 anchors
//! are boxes of 32 × 32 pixels, 16 apart; their confidences are the mean redness and greenness in the box, which are the
//! first two of the 32 coefficients of the mask, too. The first two prototypes are redness and greenness less a half.

pub struct Model<'a> {
    /// In the metadata.
    pub names: Option<&'a str>,
    /// Width and height are left open.
    pub is_open: bool,
}

pub const NAMES: &str = "{0: 'ball', 1: 'cup'}";

#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn int(mut self, field: u64, value: i64) -> Message {
        self.varint(field << 3);
        self.varint(value as u64);
        self
    }

    fn ints(self, field: u64, values: &[i64]) -> Message {
        values.iter().fold(self, |message, value| message.int(field, *value))
    }

    fn bytes(mut self, field: u64, bytes: &[u8]) -> Message {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn text(self, field: u64, text: &str) -> Message {
        self.bytes(field, text.as_bytes())
    }

    fn inner(self, field: u64, inner: Message) -> Message {
        self.bytes(field, &inner.0)
    }
}

fn node(op: &str, inputs: &[&str], output: &str, attributes: &[(&str, &[i64])]) -> Message {
    let node = inputs.iter().fold(Message::default(), |node, input| node.text(1, input)).text(2, output).text(4, op);
    attributes.iter().fold(node, |node, (name, values)| {
        let attribute = Message::default().text(1, name);
        let attribute = match values {
            [axis] => attribute.int(3, *axis).int(20, 2),
            [] | [_, _, ..] => attribute.ints(8, values).int(20, 7),
        };
        node.inner(5, attribute)
    })
}

fn floats(name: &str, sizes: &[i64], values: &[f32]) -> Message {
    let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    Message::default().ints(1, sizes).int(2, 1).text(8, name).bytes(9, &raw)
}

fn integers(name: &str, values: &[i64]) -> Message {
    let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    Message::default().int(1, values.len() as i64).int(2, 7).text(8, name).bytes(9, &raw)
}

/// A size of -1 is left open.
fn value(name: &str, sizes: &[i64]) -> Message {
    let shape = sizes.iter().fold(Message::default(), |shape, size| {
        let dimension = if *size < 0 {
            Message::default().text(2, &format!("{name}_side"))
        } else {
            Message::default().int(1, *size)
        };
        shape.inner(1, dimension)
    });
    let tensor = Message::default().int(1, 1).inner(2, shape);
    Message::default().text(1, name).inner(2, Message::default().inner(1, tensor))
}

fn constants() -> [Message; 6] {
    let colour = |own: usize| (0..48).map(move |index| if index / 16 == own { 1.0 / 16.0 } else { -1.0 / 16.0 });
    let colours: Vec<f32> = colour(0).chain(colour(1)).collect();
    let anchors: Vec<[f32; 4]> =
        (0..9).map(|anchor| [16.0 + (anchor % 3 * 16) as f32, 16.0 + (anchor / 3 * 16) as f32, 32.0, 32.0]).collect();
    let boxes: Vec<f32> = (0..4).flat_map(|row| anchors.iter().map(move |anchor| anchor[row])).collect();
    let mixing: Vec<f32> = (0..64).map(|index| if [0, 3].contains(&index) { 1.0 } else { 0.0 }).collect();
    let less: Vec<f32> = (0..32).map(|index| if index < 2 { -0.5 } else { 0.0 }).collect();
    [
        floats("colours", &[2, 3, 4, 4], &colours),
        floats("boxes", &[1, 4, 9], &boxes),
        floats("rest", &[1, 30, 9], &[0.0; 270]),
        floats("mixing", &[32, 2, 1, 1], &mixing),
        floats("less", &[32], &less),
        integers("flat", &[1, 2, 9]),
    ]
}

impl Model<'_> {
    pub fn bytes(&self) -> Vec<u8> {
        let nodes = [
            node("Conv", &["images", "colours"], "cells", &[("kernel_shape", &[4, 4]), ("strides", &[4, 4])]),
            node("Relu", &["cells"], "shares", &[]),
            node("AveragePool", &["shares"], "means", &[("kernel_shape", &[8, 8]), ("strides", &[4, 4])]),
            node("Reshape", &["means", "flat"], "sure", &[]),
            node("Concat", &["boxes", "sure", "sure", "rest"], "output0", &[("axis", &[1])]),
            node("Conv", &["cells", "mixing", "less"], "output1", &[("kernel_shape", &[1, 1])]),
        ];
        let graph = nodes.into_iter().fold(Message::default(), |graph, node| graph.inner(1, node)).text(2, "colours");
        let graph = constants().into_iter().fold(graph, |graph, constant| graph.inner(5, constant));
        let side = if self.is_open { -1 } else { 64 };
        let cells = if self.is_open { -1 } else { 16 };
        let graph = graph
            .inner(11, value("images", &[1, 3, side, side]))
            .inner(12, value("output0", &[1, 38, 9]))
            .inner(12, value("output1", &[1, 32, cells, cells]));
        let opset = Message::default().text(1, "").int(2, 13);
        let model = Message::default().int(1, 8).inner(7, graph).inner(8, opset);
        let entry = |names: &str| Message::default().text(1, "names").text(2, names);
        match self.names {
            Some(names) => model.inner(14, entry(names)).0,
            None => model.0,
        }
    }
}
