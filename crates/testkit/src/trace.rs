use engine::{Engine, RunFact, TickInput, TickOutput, Told, What};
use experience::Line;

/// Commands and outputs by the tick they belong to.
pub fn note_output(
    engine: &Engine,
    input: &TickInput,
    output: &TickOutput,
    wanted: &[(u64, String)],
    notes: &mut Vec<(u64, String)>,
) {
    let tick = engine.tick_count();
    for answer in &output.answers {
        if let Some(reason) = &answer.refused {
            let line = wanted.iter().find(|(id, _)| *id == answer.id).map_or("?", |(_, line)| line);
            notes.push((tick, format!("refused `{line}`: {reason}")));
        }
    }
    if input.stop || output.stop {
        notes.push((tick, "robot stop".to_owned()));
    }
    for part in &output.stop_parts {
        notes.push((tick, format!("robot stop of {part}")));
    }
    if let Some(hold) = output.hold {
        notes.push((tick, if hold { "robot holds".to_owned() } else { "robot goes on".to_owned() }));
    }
    for line in &output.learned {
        let text = match line {
            Line::Batch(batch) => {
                format!("keeps attempt {} of {}: {} samples", batch.attempt, batch.task, batch.rows.len())
            }
            Line::Shift(shift) => format!("moves trial {} of {} by {}", shift.trial, shift.task, shift.by),
            Line::Forget(what) => format!("forgets trial {} of {}", what.trial, what.task),
        };
        notes.push((tick, text));
    }
    for sent in &output.sent {
        let values: Vec<String> = sent.values.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        notes.push((tick, format!("sent {}{}", sent.command, values.concat())));
    }
    for settings in &output.detectors {
        let settings = serde_json::to_string(settings).unwrap_or_default();
        notes.push((tick, format!("detectors {settings}")));
    }
    for (_, line) in wanted {
        match line.as_str() {
            "why" => notes.extend(reasons(engine).into_iter().map(|text| (tick, text))),
            "tokens" => notes.extend(tokens(engine).into_iter().map(|text| (tick, text))),
            _ => {}
        }
    }
}

/// For each track that has started: its next and why that has not.
fn reasons(engine: &Engine) -> Vec<String> {
    let next = |next: Option<engine::InstanceId>| next.map_or("the end".to_owned(), |step| name(engine, step));
    let line = |track: engine::TrackView| {
        let of = track.owner.map_or("root".to_owned(), |owner| name(engine, owner));
        format!("{of} at {}: {}", next(track.next), track.waits)
    };
    engine.tracks().into_iter().map(line).collect()
}

fn tokens(engine: &Engine) -> Vec<String> {
    let line = |(token, holder): (_, Option<String>)| match holder {
        Some(holder) => format!("{token} held by {holder}"),
        None => format!("{token} free"),
    };
    engine.tokens().into_iter().map(line).collect()
}

/// The recording as lines: `+` a start, `-` an end, `=` a variable, `!` a hold, `@` an object, `~` what a condition
/// judges, `#` a note, `>` what went out.
pub fn trace(engine: &Engine, notes: &[(u64, String)]) -> String {
    trace_at(engine, notes, crate::TICK_NS)
}

/// As [`trace`], with ticks this far apart. Times have as many digits as they need for that.
pub fn trace_at(engine: &Engine, notes: &[(u64, String)], tick_ns: i64) -> String {
    // The first tick is at 0.
    let at_ns = |tick: u64| (tick as i64 - 1) * tick_ns;
    let digits = if tick_ns % crate::TICK_NS == 0 { 1 } else { 2 };
    let line = |lines: &mut String, time_ns: i64, text: &str| {
        lines.push_str(&format!("{:.digits$} {text}\n", engine::ns_to_seconds(time_ns)));
    };
    let recording = engine.recording();
    let mut lines = String::new();
    let mut notes = notes.iter().peekable();
    for event in &recording.events {
        while let Some((tick, text)) = notes.next_if(|(tick, _)| *tick < event.tick) {
            line(&mut lines, at_ns(*tick), &format!("> {text}"));
        }
        let text = match event.what {
            What::Started(step) => format!("+ {}", name(engine, step)),
            What::Ended { step, verdict, detail } => {
                let mut text = format!("- {} {}", name(engine, step), verdict.word());
                if let Some(detail) = recording.detail(detail) {
                    text += &detail.outcome.as_ref().map(|outcome| format!(" \"{outcome}\"")).unwrap_or_default();
                    text += &detail.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
                }
                text
            }
            What::Held { step, detail } => {
                let reason = recording.detail(detail).and_then(|detail| detail.reason.as_deref()).unwrap_or("");
                format!("! {} held: {reason}", name(engine, step))
            }
            What::Changed(index) => {
                let change = &recording.changes[index as usize];
                let value = change.value.as_ref().map_or("nothing".to_owned(), ToString::to_string);
                format!("= {} {value}", change.name)
            }
            What::Scene(index) => {
                let change = &recording.scene[index as usize].change;
                let object = change.object.as_deref().unwrap_or("scene");
                let place = change.world_from_object.map(|pose| {
                    let (at, yaw_deg) = (pose.translation_m(), pose.rpy().yaw_rad.to_degrees());
                    // Minus zero is zero to a person.
                    let [x, y, z, yaw] = [(at.x, 1e2), (at.y, 1e2), (at.z, 1e2), (yaw_deg, 1.0)]
                        .map(|(number, per)| (number * per).round() / per + 0.0);
                    format!(" at {x} {y} {z}, {yaw}°")
                });
                format!("@ {object} {}{}", change.what.word(), place.unwrap_or_default())
            }
            What::Measured(index) => {
                let (step, measured) = recording.measured[index as usize];
                let unit = if measured.unit.is_empty() { String::new() } else { format!(" {}", measured.unit) };
                let holds = if measured.holds { "holds" } else { "does not hold" };
                format!("~ {} {}{unit} {holds}", name(engine, step), measured.value)
            }
            What::Note(index) => {
                let note = &recording.notes[index as usize];
                let text = match &note.told {
                    Told::Run(RunFact::Began | RunFact::Edited) => continue,
                    Told::Run(fact) => fact.to_string(),
                    Told::Log(text) | Told::Warning(text) => text.to_string(),
                };
                let step = note.step.map(|step| format!("{}: ", name(engine, step))).unwrap_or_default();
                format!("# {step}{text}")
            }
        };
        line(&mut lines, event.time_ns, &text);
    }
    for (tick, text) in notes {
        line(&mut lines, at_ns(*tick), &format!("> {text}"));
    }
    lines
}

/// The label, behind the labels of the skill uses that lead to it.
fn name(engine: &Engine, step: engine::InstanceId) -> String {
    let uses = engine.instance_of_id(step).uses;
    let mut definition = model::Library::MAIN;
    let mut name = String::new();
    for via in uses {
        let tree = engine.library().get(definition);
        if let Some(node) = tree.get(via) {
            name += &format!("{}/", node.label());
        }
        definition = engine.library().skill_of(definition, via).unwrap_or(definition);
    }
    name + &engine.label_of(step)
}
