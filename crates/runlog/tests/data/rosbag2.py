"""A bag of two seconds as ROS 2 writes them: joint states at 50 Hz, a depth camera at 5 Hz. By PyPI `rosbags`."""
import sys
from pathlib import Path
import numpy as np
from rosbags.rosbag2 import Writer, StoragePlugin
from rosbags.typesys import Stores, get_typestore

store = get_typestore(Stores.ROS2_HUMBLE)
T = store.types
JointState, Image, Info, Roi = (T["sensor_msgs/msg/" + n] for n in ("JointState", "Image", "CameraInfo", "RegionOfInterest"))
Header, Time = T["std_msgs/msg/Header"], T["builtin_interfaces/msg/Time"]

def header(ns, frame):
    return Header(stamp=Time(sec=ns // 10**9, nanosec=ns % 10**9), frame_id=frame)

W, H = 16, 12
out = Path(sys.argv[1])
with Writer(out, version=9, storage_plugin=StoragePlugin.MCAP) as writer:
    joints = writer.add_connection("/joint_states", JointState.__msgtype__, typestore=store)
    depth = writer.add_connection("/head/depth/image_rect_raw", Image.__msgtype__, typestore=store)
    colour = writer.add_connection("/head/color/image_raw", Image.__msgtype__, typestore=store)
    info = writer.add_connection("/head/depth/camera_info", Info.__msgtype__, typestore=store)
    def write(at, ns, message):
        writer.write(at, ns, store.serialize_cdr(message, message.__msgtype__))
    begin = 1_700_000_000 * 10**9
    for tick in range(100):
        ns = begin + tick * 20_000_000
        s = tick / 50
        write(joints, ns, JointState(header=header(ns, ""), name=["neck_pitch", "nobody", "left_elbow_pitch"],
              position=np.array([0.2 * s, 9.0, -0.5]), velocity=np.array([0.2, 0.0, 0.0]), effort=np.array([])))
        if tick % 10 == 5:
            k = np.array([14.0, 0, 7.5, 0, 14.0, 5.5, 0, 0, 1])
            write(info, ns, Info(header=header(ns, "camera"), height=H, width=W, distortion_model="", d=np.array([]), k=k,
                  r=np.eye(3).flatten(), p=np.zeros(12), binning_x=0, binning_y=0,
                  roi=Roi(x_offset=0, y_offset=0, height=0, width=0, do_rectify=False)))
            rgb = np.zeros((H, W, 3), np.uint8); rgb[:, :, 2] = 250; rgb[:, : W // 2] = [240, 20, 10]
            write(colour, ns, Image(header=header(ns, "camera"), height=H, width=W, encoding="rgb8", is_bigendian=0,
                  step=W * 3, data=rgb.flatten()))
            mm = np.full((H, W), 1500, "<u2"); mm[:2] = 0; mm[:, W // 2 :] = 900
            write(depth, ns, Image(header=header(ns, "camera"), height=H, width=W, encoding="16UC1", is_bigendian=0,
                  step=W * 2, data=np.frombuffer(mm.tobytes(), np.uint8)))
