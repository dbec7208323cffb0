import { AxesHelper, BoxGeometry, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, MeshStandardMaterial } from 'three';
import { label } from './label';

/**
 * One small thing of each kind that is drawn and taken away again, never taken away: with the last material that uses
 * it, three.js lets a shader go, and to make it anew takes longer than a frame. What is seen moves ten times a second.
 */
export function keepShaders(): Group {
  const group = new Group();
  const box = new BoxGeometry();
  const sprite = label('.', '#000000');
  delete sprite.userData.text; // no name of anything
  group.add(
    new Mesh(box, new MeshStandardMaterial()),
    new Mesh(box, new MeshStandardMaterial({ transparent: true })),
    new Mesh(box, new MeshBasicMaterial({ transparent: true })),
    new LineSegments(new EdgesGeometry(box), new LineBasicMaterial()),
    new LineSegments(new EdgesGeometry(box), new LineBasicMaterial({ transparent: true })),
    new AxesHelper(1),
    sprite,
  );
  for (const part of group.children) part.scale.setScalar(0);
  return group;
}
