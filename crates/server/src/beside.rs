//! What lies beside the open behavior here, and whether the robot has the same.

use std::sync::Arc;

use model::Beside;

use crate::operator::Operator;

impl Operator {
    /// For previews: those that lie beside the behavior here, and our own. The check tells what is wrong with them.
    pub(crate) fn use_templates(&mut self) {
        let main = self.shared.document().library().main();
        let (templates, _) = check::templates_beside(&main.file, &*self.setup.store);
        if let Some(robot) = &mut self.robot {
            robot.templates(Arc::new(templates));
        }
    }

    /// The robot goes on with the cell and the templates that came with its behavior, whatever became of the files here
    /// since: people must know when that is not the same.
    pub(crate) fn compare_beside(&mut self) {
        let library = self.shared.document().library();
        let here = Beside::gather(library, &*self.setup.store).map_or(0, |beside| beside.digest());
        let overview = self.overview.as_ref().filter(|overview| overview.epoch == self.shared.epoch());
        let Some(there) = overview.and_then(|overview| overview.beside) else { return };
        // Who has nothing of it is at another machine than the files.
        if here != there && here != 0 {
            let text = "the robot has another cell or other templates than lie beside the behavior here: open the \
                        behavior again to give it these";
            self.notice(text.to_owned(), None);
        }
    }
}
