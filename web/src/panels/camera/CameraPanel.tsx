import { useEffect, useRef, useState, type ReactNode } from 'react';
import { picture } from '../../api/slots';
import { useNow } from '../../shell/useNow';
import { lookOnce } from '../../state/bulk';
import { ageS, ageText } from '../../state/contact';
import { showAgain } from '../../state/review';
import { useReviewing } from '../../state/reviewing';
import { useStory } from '../../state/run';
import { useWorld } from '../../state/world';
import { drawOverlay, lensOf } from './overlay';

/** What the robot's camera sees, and over it what detectors tell. Pictures go straight to the canvas, past React. */
export function CameraPanel(): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const [name, setName] = useState('');
  const [marks, setMarks] = useState(true);
  const narrow = useWorld((world) => world.link.narrow);
  useEffect(() => {
    const draw = (): void => {
      const now = picture.get();
      const element = canvas.current;
      if (!now) setName('');
      if (!element) return;
      if (!now) {
        element.getContext('2d')?.clearRect(0, 0, element.width, element.height);
        return;
      }
      if (element.width !== now.width) element.width = now.width;
      if (element.height !== now.height) element.height = now.height;
      element.getContext('2d')?.putImageData(new ImageData(now.pixels, now.width, now.height), 0, 0);
      setName(now.camera);
    };
    draw();
    return picture.listen(draw);
  }, []);
  useEffect(() => {
    const draw = (): void => {
      const now = picture.get();
      const element = over.current;
      const under = canvas.current;
      if (!now) element?.getContext('2d')?.clearRect(0, 0, element.width, element.height);
      if (!now || !element || !under) return;
      // Text is drawn in the pixels of the screen, not of the picture: that is small.
      const scale = Math.min(under.clientWidth / now.width, under.clientHeight / now.height) || 1;
      element.width = Math.round(now.width * scale);
      element.height = Math.round(now.height * scale);
      if (!marks) return;
      const { robot, cameras, detections, objects } = useWorld.getState();
      const lens = lensOf(now.camera, now.width / now.height, robot?.cameras ?? [], cameras);
      drawOverlay(element, now.camera, lens, detections, objects);
    };
    draw();
    const forget = [picture.listen(draw), useWorld.subscribe(draw)];
    const size = new ResizeObserver(draw);
    if (canvas.current) size.observe(canvas.current);
    return () => {
      forget.forEach((one) => one());
      size.disconnect();
    };
  }, [marks]);
  return (
    <div className="camera">
      <canvas ref={canvas} width={4} height={3} aria-label={name ? `Picture of the camera ${name}` : 'Camera'} role="img" />
      <canvas ref={over} className="camera-over" width={4} height={3} aria-hidden />
      {name && (
        <label className="camera-tools">
          <input type="checkbox" checked={marks} onChange={(event) => setMarks(event.target.checked)} /> Detections and frames
        </label>
      )}
      {name && <PictureAge />}
      <Cameras />
      {narrow && (
        <div className="camera-looks" title="The link to the robot is narrow: pictures come one at a time, in pieces.">
          <button type="button" onClick={() => lookOnce('picture')}>
            One picture now
          </button>
          <button type="button" onClick={() => lookOnce('cloud')}>
            One cloud now
          </button>
        </div>
      )}
      {!name && <p className="dim pad">No picture has come yet.</p>}
    </div>
  );
}

/** Of a recording with several cameras one is chosen. */
function Cameras(): ReactNode {
  const cameras = useReviewing((review) => review.on?.cameras);
  const camera = useReviewing((review) => review.camera);
  if (!cameras || cameras.length < 2) return null;
  return (
    <select
      className="camera-choice"
      aria-label="Camera"
      value={camera ?? cameras[0]}
      onChange={(event) => {
        useReviewing.setState({ camera: event.target.value });
        showAgain();
      }}
    >
      {cameras.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}

/** A picture that is not of now says so. */
function PictureAge(): ReactNode {
  useNow(true);
  const recorded = useStory((story) => story.recorded);
  const back = useStory((story) => story.pinnedS !== null && !story.recorded);
  const old = ageS(picture);
  if (old === null) return null;
  return (
    <span className={old > 3 || back ? 'camera-age warn' : 'camera-age'}>
      {back && 'Not of then, but '}
      {recorded ? `taken ${old.toFixed(1)} s before` : ageText(old)}
    </span>
  );
}
