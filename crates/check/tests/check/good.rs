//! Trees that nothing is wrong with: no check may raise a false alarm.

use check::Options;

use crate::common;

const GOOD: &[&str] = &[
    // Plain steps.
    "
     wait A duration_s=1
     log B text=hello
     checkpoint C",
    // Layers, also by an organising node and over a composite.
    "
     sequence Reach
       stand_in Left claims=[\"left\"]
       stand_in Right claims=[\"right\"] after=Beginning
     stand_in Head after=Reach
     stand_in Close after=Left",
    // A fallback whose try can fail, with a polling loop around it.
    "
     @variables {\"tries\": 0}
     loop Retry condition=\"tries < 3\"
       fallback Grasp
         stand_in Close fails_if=\"tries < 2\" outcome=slipped
         set Count values={\"tries\": \"tries + 1\"}",
    // A picky catch, timeouts and guards.
    "
     fallback F outcomes=[\"slipped\",\"timeout\"]
       stand_in Pull timeout_s=3 fails_if=\"time() > 2.0\" outcome=slipped
       stand_in Again
     wait_until W condition=\"time() > 5.0\" timeout_s=9
     wait V duration_s=9 until=\"time() > 2.0\" while=\"time() < 100.0\"",
    // Jumps: forward over a step that another goto leads to, and back over one that takes time.
    "
     checkpoint Start
     stand_in Work
     fallback Check
       condition Done condition=\"time() > 20.0\"
       goto Back target=Start
     goto Over target=End
     checkpoint Help
     stand_in Repair
     goto Home target=Start
     checkpoint End
     choose C
       goto ToHelp target=Help when=\"time() < 1.0\"",
    // A subroutine behind an unconditional goto.
    "
     gosub Call target=Sub
     goto Over target=End
     sequence Sub
       wait A duration_s=1
     checkpoint End",
    // Endless branches beside one that decides.
    "
     parallel P policy=one
       loop Watch
         wait_until See condition=\"time() > 1.0\"
         wait Pause duration_s=0.1
       sequence Work
         wait A duration_s=1
     log Behind text=done",
    // An endless loop with a layered step behind it.
    "
     loop Blink
       wait On duration_s=1
     stand_in Beside after=Beginning",
    // Tokens taken and given back in the same order by two branches.
    "
     parallel P
       loop A count=3
         reserve R1 token=press
         wait W1 duration_s=1
         relinquish G1 token=press
       sequence B
         reserve R2 token=press
         wait W2 duration_s=1
         relinquish G2 token=press",
    // A question whose answers decide.
    "
     question Q text=Well? options=[\"go\",\"stay\",\"off\"] failures=[\"off\"] default=go
     choose C
       wait Go when={\"outcome\":\"go\"}
       wait Stay when={\"outcome\":\"stay\"}
       log Else",
    // A skill with inputs, outputs and variables of its own.
    "
     @variables {\"place\": null, \"n\": 1}
     skill Use file=pick.json inputs={\"which\":\"n + 1\"} outputs={\"where\":\"place\"}
     log L value=place
     --- pick.json
     @inputs {\"which\": {}, \"speed\": {\"default\": 1}}
     @outputs {\"where\": {}}
     set S values={\"where\": \"which * speed\"}",
    // Variables that come and go: set first, read later, also by parts.
    "
     set A values={\"pose\": \"{'x': 1}\", \"grip.force\": \"5\"}
     log B value=pose.x
     log C value=\"grip.force\"",
    // An environment that answers commands, every tick if it must.
    "
     loop Serve
       receive Get command=start values={\"job\":\"job\"}
       send Answer command=started values={\"job\":\"job\"}",
    // Results of nodes asked for by name.
    "
     stand_in Reach
     condition Fine condition=\"result('Reach') == 'success'\"",
    // Priority by something inside a branch.
    "
     parallel P policy=priority priority=Inner
       sequence A
         wait Inner
       loop B
         wait W",
    // A stop while authoring, at the end.
    "
     wait A
     always_fail STOP",
    // A recursion that a choose ends.
    "
     @variables {\"n\": 3}
     sequence Sub
       set Less values={\"n\": \"n - 1\"}
       choose More
         gosub Again target=Sub when=\"n > 0\"",
];

#[test]
fn good_trees_have_no_problems() {
    for outline in GOOD {
        let found = common::found(outline, &[], &Options::default());
        assert!(found.is_empty(), "{outline}\n\n{}", common::text(&found));
    }
}
