import { PREVIEW_STATE, readRobotState } from '../api/binary';
import { bodyState, cloud, picture, previewState, robotState } from '../api/slots';
import { Client, Refused, type AnyAsk, type Wire } from '../api/socket';
import { VERSION, type Answer, type Push } from '../api/types';
import type { ExpressionFunction } from '../panels/settings/complete';
import { readNodeTypes } from '../panels/settings/schema';
import { checkSoon, setAsker } from './actions';
import { closeRecording } from './review';
import { forgetKept, putAsideOfReview, putProblemsAside, useReviewing } from './reviewing';
import { putChange, putDocument, putProblems, useDoc } from './document';
import { sampleLink, sampleMeasured, samplePlots } from './plots';
import { endPreview, putAside, putPreviewMode } from './previewing';
import { arrived } from './stopping';
import { heard, linkIs, losePage, useContact } from './contact';
import { controlCame } from './control';
import { forgetPast, forgetValues, rememberVariables } from './past';
import { forgetRun, putHappenings, putRun, useRun } from './run';
import { forgetSession, keepSession, ownName, ownTeamRole, session, TAKEN_UP, token } from './self';
import { topics } from './wanted';
import { dismissAll, notify, useUi } from './ui';
import { putAround, putScene, putVariables, useWorld } from './world';

function pushed(push: Push): void {
  heard();
  if (!putAsideOfReview(push) && !putAside(push)) show(push);
}

function show(push: Push): void {
  switch (push.push) {
    case 'document':
      putDocument(push);
      useUi.setState({ selection: [], renaming: null });
      checkSoon(gotProblems);
      break;
    case 'changed':
      putChange(push);
      pruneSelection();
      checkSoon(gotProblems);
      break;
    case 'delivery':
      useDoc.setState({ robotHas: push.robot_has });
      break;
    case 'notice':
      notify('info', push.text, push.node);
      break;
    case 'run':
      putRun(push);
      sampleMeasured(push.measured, push.time_s);
      break;
    case 'happened':
      putHappenings(push.happenings);
      break;
    case 'variables':
      putVariables(push.variables, push.tokens);
      rememberVariables(useRun.getState().view.time_s);
      samplePlots(push.variables);
      break;
    case 'scene':
      putScene(push);
      break;
    case 'world':
      if (push.whole) forgetSights();
      putAround(push.whole, push.solids, push.outlines);
      break;
    case 'body':
      bodyState.put(push);
      break;
    case 'people':
      useWorld.setState({ people: push.people });
      controlCame();
      break;
    case 'robot_is':
      useWorld.setState(({ welcome }) => ({ welcome: welcome && { ...welcome, robot: push.robot, simulated: push.simulated }, resets: push.resets }));
      break;
    case 'robot_anew':
      if (useReviewing.getState().on) forgetKept();
      else forgetProcess();
      break;
    case 'link':
      useWorld.setState({ link: push });
      linkIs(push);
      sampleLink(push);
      if (!push.stop_pending && useContact.getState().lost === null) arrived();
      break;
    case 'preview_mode':
      putPreviewMode(push.on, push.ended);
      break;
    case 'preview':
      show(push.told);
      break;
  }
}

/** What another process told, of the robot or of the run, is not so any more. */
function forgetProcess(): void {
  closeRecording();
  endPreview();
  forgetRun();
  forgetSights();
  forgetValues();
  robotState.clear();
  bodyState.clear();
  useWorld.setState({ objects: [], detections: [], solids: [], outlines: [], previews: [], previewOn: false });
  dismissAll();
}

/** Of another world, too. */
function forgetSights(): void {
  cloud.clear();
  picture.clear();
  forgetPast();
}

/** What was deleted, by whomever, must not stay selected: the next command would be about nothing. */
function pruneSelection(): void {
  const { nodes } = useDoc.getState();
  const { selection, renaming } = useUi.getState();
  const alive = selection.filter((key) => key.split('/').every((id) => nodes.has(id)));
  if (alive.length !== selection.length) useUi.setState({ selection: alive });
  if (renaming && !renaming.split('/').every((id) => nodes.has(id))) useUi.setState({ renaming: null });
}

function gotProblems(answer: Answer): void {
  if (answer.is === 'problems' && !putProblemsAside(answer.problems)) putProblems(answer.problems);
}

/** Everything a page needs that has just come, or come back: nothing is kept from before the break. */
async function begin(ask: (what: AnyAsk) => Promise<Answer>): Promise<void> {
  const welcome = await ask({ ask: 'hello', version: VERSION, token: token(), name: ownName(), team_role: ownTeamRole(), session: session() });
  if (welcome.is === 'welcome') {
    const before = useWorld.getState().welcome?.process;
    if (before !== undefined && before !== welcome.process) forgetProcess();
    keepSession(welcome.session);
    useWorld.setState({ welcome, resets: welcome.resets, socket: 'open' });
    heard();
  }
  if (!useReviewing.getState().on) useWorld.setState({ variables: new Map() });
  await ask({ ask: 'watch', topics: topics() });
  const [types, robot, files, problems] = await Promise.all([
    ask({ ask: 'node_types' }),
    ask({ ask: 'robot' }).catch(() => null),
    ask({ ask: 'files' }),
    ask({ ask: 'check' }).catch(() => null),
    // At once: what changes it next is about this one.
    ask({ ask: 'document' }).then((document) => document.is === 'document' && !putAsideOfReview({ push: 'document', ...document }) && putDocument(document)),
  ]);
  pruneSelection();
  if (types.is === 'node_types') useWorld.setState({ nodeTypes: readNodeTypes(types.types, types.common), functions: types.functions as ExpressionFunction[] });
  if (robot?.is === 'robot') useWorld.setState({ robot });
  if (files.is === 'files') useDoc.setState({ folder: files.files });
  if (problems) gotProblems(problems);
}

export function connect(open: () => Wire): Client {
  const client = new Client(open, {
    opened: () => {
      begin((what) => client.ask(what)).catch((error: unknown) => {
        if (error instanceof Refused && error.failure.code === 'other_version') {
          useWorld.setState({ socket: 'outdated' });
          client.end(); // asking again would tell the same
        }
        notify('error', error instanceof Refused ? error.message : String(error));
      });
    },
    closed: (_, code) => {
      if (code === TAKEN_UP) forgetSession();
      useWorld.setState({ socket: 'broken' });
      losePage();
      endPreview();
    },
    pushed,
    binary: (data) => {
      heard();
      const state = readRobotState(data);
      if (state) robotState.put(state);
      const preview = readRobotState(data, PREVIEW_STATE);
      if (preview) previewState.put(preview);
    },
  });
  setAsker((what) => client.ask(what));
  client.connect();
  return client;
}
