import { Mesh, type Material, type Object3D } from 'three';

/** The operator process has every mesh of the robot as GLB, by the URI of the URDF. */
const FOLDER = 'robot/mesh/';
/** As the operator process names materials that a mesh brings itself. */
const OWN = 'own';

export const addressOf = (uri: string): string => FOLDER + encodeURIComponent(uri);
const uriOf = (address: string): string => decodeURIComponent(address.slice(FOLDER.length));

/** Each is fetched once, whichever robots of the view it is part of; what it is made of is shared. */
const fetched = new Map<string, Promise<Object3D>>();

export async function meshOf(address: string): Promise<Object3D> {
  const known = fetched.get(address) ?? fetchMesh(address);
  fetched.set(address, known);
  try {
    return (await known).clone();
  } catch (error) {
    // Asked for again with the next robot.
    fetched.delete(address);
    throw error;
  }
}

export const hasOwnLook = (mesh: Mesh): boolean => (mesh.material as Material).name === OWN;

async function fetchMesh(address: string): Promise<Object3D> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${uriOf(address)}: ${await answer.text()}`);
  // Most robots that are looked at are our own, and have no meshes.
  const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');
  const { scene } = await new GLTFLoader().parseAsync(await answer.arrayBuffer(), '');
  scene.traverse((part) => {
    if (part instanceof Mesh) part.userData.fromFile = true;
  });
  return scene;
}
