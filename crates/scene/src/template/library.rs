use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use robot::did_you_mean;

use super::reader::problem;
use super::{Template, TemplateFileError, builtin, import_xml};

/// Templates by the class of objects they are for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Library {
    by_class: BTreeMap<String, Arc<Template>>,
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
        self.by_class.insert(template.class.clone(), Arc::new(template));
    }

    /// All files of a folder, ours and the XML of others, in place of what was there for their classes. A file that is
    /// not usable is left out and told; a folder that is not there holds none.
    pub fn add_folder(&mut self, folder: &Path) -> Vec<TemplateFileError> {
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        let mut errors = Vec::new();
        let (mut files, mut xml): (BTreeMap<String, String>, Vec<(String, String)>) = Default::default();
        for path in paths {
            let extension = path.extension().unwrap_or_default();
            if extension != "json" && extension != "xml" {
                continue;
            }
            let file = path.display().to_string();
            match fs::read_to_string(&path) {
                Ok(text) if extension == "xml" => xml.push((file, text)),
                Ok(text) => match Template::from_json(&file, &text) {
                    Ok(template) => self.add_own(template, file, &mut files, &mut errors),
                    Err(error) => errors.push(error),
                },
                Err(error) => {
                    let message = error.to_string();
                    errors.push(TemplateFileError::Unreadable { file, line: 1, form: "readable", message });
                }
            }
        }
        let texts: Vec<(&str, &str)> = xml.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
        match import_xml(&texts) {
            Ok(templates) => templates.into_iter().for_each(|template| self.add(template)),
            Err(error) => errors.push(error),
        }
        errors
    }

    fn add_own(
        &mut self,
        template: Template,
        file: String,
        files: &mut BTreeMap<String, String>,
        errors: &mut Vec<TemplateFileError>,
    ) {
        if let Some(other) = files.get(&template.class) {
            let message =
                format!("{other} is for class `{}` too: remove one, or give it another class", template.class);
            let problems = vec![problem(&file, 1, "class", message)];
            errors.push(TemplateFileError::Unusable { file, problems });
            return;
        }
        files.insert(template.class.clone(), file);
        self.add(template);
    }

    pub fn get(&self, class: &str) -> Result<&Arc<Template>, String> {
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
