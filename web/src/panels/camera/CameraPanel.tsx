import { useEffect, useRef, useState, type ReactNode } from 'react';
import { picture } from '../../api/slots';

/** What the robot's camera sees. Pictures go straight to the canvas, past React. */
export function CameraPanel(): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [name, setName] = useState('');
  useEffect(() => {
    const draw = (): void => {
      const now = picture.get();
      const element = canvas.current;
      if (!now || !element) return;
      if (element.width !== now.width) element.width = now.width;
      if (element.height !== now.height) element.height = now.height;
      element.getContext('2d')?.putImageData(new ImageData(now.pixels, now.width, now.height), 0, 0);
      setName(now.camera);
    };
    draw();
    return picture.listen(draw);
  }, []);
  return (
    <div className="camera">
      <canvas ref={canvas} width={4} height={3} aria-label={name ? `Picture of the camera ${name}` : 'Camera'} role="img" />
      {!name && <p className="dim pad">No picture has come yet.</p>}
    </div>
  );
}
