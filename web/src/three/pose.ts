import { Euler, Matrix4, Quaternion, Vector3 } from 'three';

const DEGREES = 180 / Math.PI;

/** A pose as people write it in settings; what is missing is zero. */
export interface PoseSetting {
  x_m?: number;
  y_m?: number;
  z_m?: number;
  roll_deg?: number;
  pitch_deg?: number;
  yaw_deg?: number;
}

const ONE = new Vector3(1, 1, 1);

export function matrixOf(pose: PoseSetting): Matrix4 {
  const turn = new Euler((pose.roll_deg ?? 0) / DEGREES, (pose.pitch_deg ?? 0) / DEGREES, (pose.yaw_deg ?? 0) / DEGREES, 'ZYX');
  return new Matrix4().compose(new Vector3(pose.x_m ?? 0, pose.y_m ?? 0, pose.z_m ?? 0), new Quaternion().setFromEuler(turn), ONE);
}

const rounded = (value: number, places: number): number => {
  const scale = 10 ** places;
  const near = Math.round(value * scale) / scale;
  return near === 0 ? 0 : near;
};

/** To a tenth of a millimetre and a hundredth of a degree: files stay readable. */
export function settingOf(matrix: Matrix4): Required<PoseSetting> {
  const position = new Vector3();
  const rotation = new Quaternion();
  matrix.decompose(position, rotation, new Vector3());
  const turn = new Euler().setFromQuaternion(rotation, 'ZYX');
  return {
    x_m: rounded(position.x, 4),
    y_m: rounded(position.y, 4),
    z_m: rounded(position.z, 4),
    roll_deg: rounded(turn.x * DEGREES, 2),
    pitch_deg: rounded(turn.y * DEGREES, 2),
    yaw_deg: rounded(turn.z * DEGREES, 2),
  };
}

/** x, y, z, qx, qy, qz, qw, as the protocol writes poses. */
export function matrixOfSeven(pose: ArrayLike<number>): Matrix4 {
  const at = (index: number): number => pose[index] ?? 0;
  const rotation = new Quaternion(at(3), at(4), at(5), pose[6] ?? 1).normalize();
  return new Matrix4().compose(new Vector3(at(0), at(1), at(2)), rotation, ONE);
}

export function sevenOf(matrix: Matrix4): number[] {
  const position = new Vector3();
  const rotation = new Quaternion();
  matrix.decompose(position, rotation, new Vector3());
  return [position.x, position.y, position.z, rotation.x, rotation.y, rotation.z, rotation.w];
}
