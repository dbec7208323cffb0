use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use robot::{Problem, Severity, did_you_mean};
use serde_json::Value;

use super::problem;
use super::{Template, builtin, import_xml};

/// Templates by the class of objects they are for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Library {
    by_class: BTreeMap<String, Arc<Template>>,
    broken: BTreeMap<String, String>,
}

impl Library {
    /// Those of our own, in the program itself.
    pub fn built_in() -> Library {
        Library::clone(&Library::shared())
    }

    /// The same, read once.
    pub fn shared() -> Arc<Library> {
        static SHARED: OnceLock<Arc<Library>> = OnceLock::new();
        Arc::clone(SHARED.get_or_init(|| Arc::new(Library::read_built_in())))
    }

    fn read_built_in() -> Library {
        let mut library = Library::default();
        for (name, text) in builtin::TEMPLATES {
            if let Ok(template) = Template::from_json(&format!("templates/{name}.json"), text) {
                library.add(template);
            }
        }
        library
    }

    /// In place of what was there for the class.
    pub fn add(&mut self, template: Template) {
        self.broken.remove(&template.class);
        self.by_class.insert(template.class.clone(), Arc::new(template));
    }

    /// All files of a folder, ours and the XML of others, in place of what was there for their classes. What is not
    /// usable is left out and told; a folder that is not there holds none.
    pub fn add_folder(&mut self, folder: &Path) -> Vec<Problem> {
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        let read = |path: &PathBuf| {
            let text = fs::read_to_string(path).map_err(|error| error.to_string());
            (path.display().to_string(), text)
        };
        let is_template = |path: &&PathBuf| is_template(&path.to_string_lossy());
        self.add_files(paths.iter().filter(is_template).map(read).collect())
    }

    /// The same, of files with their names and texts, or why they cannot be read.
    pub fn add_files(&mut self, files: Vec<(String, Result<String, String>)>) -> Vec<Problem> {
        let mut problems = Vec::new();
        let (mut own, mut xml): (BTreeMap<String, String>, Vec<(String, String)>) = Default::default();
        for (file, text) in files {
            match text {
                Err(why) => {
                    let wrong = problem(&file, 1, "", format!("cannot be read: {why}"));
                    self.break_class(stem(&file), &wrong.to_string());
                    problems.push(wrong);
                }
                Ok(text) if file.ends_with(".xml") => xml.push((file, text)),
                Ok(text) => match Template::from_json(&file, &text) {
                    Ok(template) => self.add_own(template, file, &mut own, &mut problems),
                    Err(error) => {
                        self.break_class(&class_in(&file, &text), &error.to_string());
                        problems.extend(error.into_problems());
                    }
                },
            }
        }
        self.add_xml(&xml, &own, &mut problems);
        problems
    }

    fn add_xml(&mut self, xml: &[(String, String)], own: &BTreeMap<String, String>, problems: &mut Vec<Problem>) {
        let texts: Vec<(&str, &str)> = xml.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
        let imported = import_xml(&texts);
        problems.extend(imported.problems);
        for (class, why) in &imported.broken {
            if !own.contains_key(class) {
                self.break_class(class, why);
            }
        }
        for template in imported.templates {
            match own.get(&template.class) {
                None => self.add(template),
                Some(file) => {
                    let message = format!("class `{}` is in a library in XML too; this file counts", template.class);
                    let told = problem(file, 1, "class", message);
                    problems.push(Problem { severity: Severity::Warning, ..told });
                }
            }
        }
    }

    /// Nothing serves for this class, whatever was there for it before: another would be taken for it.
    fn break_class(&mut self, class: &str, why: &str) {
        self.by_class.remove(class);
        self.broken.insert(class.to_owned(), why.to_owned());
    }

    fn add_own(
        &mut self,
        template: Template,
        file: String,
        files: &mut BTreeMap<String, String>,
        problems: &mut Vec<Problem>,
    ) {
        if let Some(other) = files.get(&template.class) {
            let message =
                format!("{other} is for class `{}` too: remove one, or give it another class", template.class);
            problems.push(problem(&file, 1, "class", message));
            return;
        }
        files.insert(template.class.clone(), file);
        self.add(template);
    }

    /// Classes that there are files for which are wrong, each with why.
    pub fn broken(&self) -> &BTreeMap<String, String> {
        &self.broken
    }

    pub fn get(&self, class: &str) -> Result<&Arc<Template>, String> {
        if let Some(why) = self.broken.get(class) {
            return Err(format!("the template for class `{class}` cannot be used: {why}"));
        }
        self.by_class.get(class).ok_or_else(|| {
            let known: Vec<&str> = self.classes().collect();
            let near = did_you_mean(class, known.iter().copied());
            format!("there is no template for class `{class}`{near}; there are {}", known.join(", "))
        })
    }

    pub fn classes(&self) -> impl Iterator<Item = &str> {
        self.by_class.keys().map(String::as_str)
    }
}

/// A file of this name in a folder `templates` is one of templates.
fn is_template(file: &str) -> bool {
    file.ends_with(".json") || file.ends_with(".xml")
}

/// The class that a file of ours is for, whatever else is wrong with it.
fn class_in(file: &str, text: &str) -> String {
    let read: Option<Value> = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok();
    let class = read.as_ref().and_then(|value| value.get("class")?.as_str()).filter(|class| !class.is_empty());
    class.unwrap_or_else(|| stem(file)).to_owned()
}

fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
