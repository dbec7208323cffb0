import { Matrix4 } from 'three';
import type { ObjectView } from '../api/types';
import { matrixOfSeven } from './pose';
import type { RobotModel } from './urdf';

/** Where the frames are that goals can be given in: links of the robot as it is drawn, objects, and what is told. */
export class Frames {
  private robot: RobotModel | null = null;
  private readonly objects = new Map<string, Matrix4>();
  private readonly told = new Map<string, Matrix4>();

  setRobot(robot: RobotModel | null): void {
    this.robot = robot;
  }

  setObjects(objects: ObjectView[]): void {
    this.objects.clear();
    for (const { name, pose } of objects) if (pose) this.objects.set(name, matrixOfSeven(pose));
  }

  setPoses(frames: { name: string; pose: number[] }[]): void {
    this.told.clear();
    for (const { name, pose } of frames) this.told.set(name, matrixOfSeven(pose));
  }

  find(name: string): Matrix4 | null {
    if (name === 'world') return new Matrix4();
    const told = this.objects.get(name) ?? this.told.get(name);
    if (told) return told;
    return this.robot?.link(name)?.matrixWorld.clone() ?? null;
  }

  all(): [string, Matrix4][] {
    const names = new Set([...this.told.keys(), ...this.objects.keys()]);
    return [...names].map((name): [string, Matrix4 | null] => [name, this.find(name)]).filter((one): one is [string, Matrix4] => one[1] !== null);
  }
}
