import { PREVIEW_STATE, readRobotState } from '../api/binary';
import { previewState, robotState } from '../api/slots';
import { Client, Refused, type AnyAsk, type Wire } from '../api/socket';
import { VERSION, type Answer, type Push } from '../api/types';
import { readNodeTypes } from '../panels/settings/schema';
import { checkSoon, setAsker } from './actions';
import { putChange, putDocument, putProblems, useDoc } from './document';
import { samplePlots } from './plots';
import { endPreview, putAside, putPreviewMode } from './previewing';
import { putHappenings, putRun } from './run';
import { forgetSession, keepSession, session, TAKEN_UP, token } from './self';
import { notify, useUi } from './ui';
import { putAround, putScene, putVariables, useWorld } from './world';

const TOPICS = { robot_hz: 30, happenings: true, variables: true, scene: true, clouds: false, pictures: false };

function pushed(push: Push): void {
  if (!putAside(push)) show(push);
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
      break;
    case 'happened':
      putHappenings(push.happenings);
      break;
    case 'variables':
      putVariables(push.variables, push.tokens);
      samplePlots(push.variables);
      break;
    case 'scene':
      putScene(push);
      break;
    case 'world':
      putAround(push.whole, push.solids, push.outlines);
      break;
    case 'people':
      useWorld.setState({ people: push.people });
      break;
    case 'robot_is':
      useWorld.setState(({ welcome }) => ({ welcome: welcome && { ...welcome, robot: push.robot, simulated: push.simulated } }));
      break;
    case 'link':
      useWorld.setState({ link: push });
      break;
    case 'preview_mode':
      putPreviewMode(push.on, push.ended);
      break;
    case 'preview':
      show(push.told);
      break;
  }
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
  if (answer.is === 'problems') putProblems(answer.problems);
}

/** Everything a page needs that has just come, or come back: nothing is kept from before the break. */
async function begin(ask: (what: AnyAsk) => Promise<Answer>): Promise<void> {
  const place = new URLSearchParams(location.search);
  const name = place.get('name') ?? localStorage.getItem('coact.name') ?? undefined;
  const welcome = await ask({ ask: 'hello', version: VERSION, token: token(), name, session: session() });
  if (welcome.is === 'welcome') {
    keepSession(welcome.session);
    useWorld.setState({ welcome, socket: 'open' });
  }
  useWorld.setState({ variables: new Map() });
  await ask({ ask: 'watch', topics: TOPICS });
  const [types, robot, files, problems] = await Promise.all([
    ask({ ask: 'node_types' }),
    ask({ ask: 'robot' }).catch(() => null),
    ask({ ask: 'files' }),
    ask({ ask: 'check' }).catch(() => null),
    // At once: what changes it next is about this one.
    ask({ ask: 'document' }).then((document) => document.is === 'document' && putDocument(document)),
  ]);
  pruneSelection();
  if (types.is === 'node_types') useWorld.setState({ nodeTypes: readNodeTypes(types.types, types.common) });
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
      robotState.clear();
      endPreview();
    },
    pushed,
    binary: (data) => {
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
