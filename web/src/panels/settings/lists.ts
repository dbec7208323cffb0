import { useMemo } from 'react';
import { useDoc } from '../../state/document';
import { useFrames } from '../../state/frames';
import { useWorld } from '../../state/world';

/** What there is to choose from for a text of some format, as it is now. */
export function useLists(): (format: string | undefined) => string[] | undefined {
  const frames = useFrames();
  const robot = useWorld((world) => world.robot);
  const files = useDoc((doc) => doc.files);
  const folder = useDoc((doc) => doc.folder);
  const tokens = useWorld((world) => world.tokens);
  const objects = useWorld((world) => world.objects);
  return useMemo(() => {
    const lists: Record<string, string[]> = {
      frame: frames,
      variable: [...new Set(files.flatMap((file) => Object.keys(file.variables)))],
      token: tokens.map((token) => token.name),
      file: [...folder].sort((a, b) => Number(b.skill) - Number(a.skill)).map((entry) => entry.file),
      object: objects.map((object) => object.name),
      preset: robot?.presets ?? [],
      grip: robot?.grips ?? [],
    };
    return (format) => (format ? lists[format] : undefined);
  }, [frames, files, folder, tokens, objects, robot]);
}
