//! Messages of ROS 2 as they are on its wire: CDR, little endian.

/// Reads one part after the other. None: the message is shorter than it says.
pub struct Cdr<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cdr<'a> {
    /// None: it is big endian, or no CDR.
    pub fn new(message: &'a [u8]) -> Option<Cdr<'a>> {
        let (head, bytes) = message.split_at_checked(4)?;
        matches!(head[..2], [0, 1]).then_some(Cdr { bytes, at: 0 })
    }

    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    /// Numbers stand at places that their size divides.
    fn number<const SIZE: usize>(&mut self) -> Option<[u8; SIZE]> {
        self.at = self.at.next_multiple_of(SIZE);
        self.bytes(SIZE)?.try_into().ok()
    }

    pub fn byte(&mut self) -> Option<u8> {
        self.number::<1>().map(|[byte]| byte)
    }

    pub fn count(&mut self) -> Option<u32> {
        self.number().map(u32::from_le_bytes)
    }

    pub fn float(&mut self) -> Option<f64> {
        self.number().map(f64::from_le_bytes)
    }

    pub fn text(&mut self) -> Option<&'a str> {
        let count = self.count()? as usize;
        let text = self.bytes(count)?;
        std::str::from_utf8(text.strip_suffix(&[0]).unwrap_or(text)).ok()
    }

    pub fn floats(&mut self) -> Option<Vec<f64>> {
        let count = self.count()?;
        (0..count).map(|_| self.float()).collect()
    }

    pub fn texts(&mut self) -> Option<Vec<&'a str>> {
        let count = self.count()?;
        (0..count).map(|_| self.text()).collect()
    }

    /// `std_msgs/Header`: when, and in which frame, is told by what comes with it.
    pub fn skip_header(&mut self) -> Option<()> {
        self.count()?;
        self.count()?;
        self.text().map(|_| ())
    }
}

/// `sensor_msgs/JointState`: names with positions, velocities and efforts, each as long or empty.
pub struct JointState<'a> {
    pub names: Vec<&'a str>,
    pub positions: Vec<f64>,
    pub velocities: Vec<f64>,
    pub efforts: Vec<f64>,
}

impl<'a> JointState<'a> {
    pub fn read(message: &'a [u8]) -> Option<JointState<'a>> {
        let mut cdr = Cdr::new(message)?;
        cdr.skip_header()?;
        let names = cdr.texts()?;
        Some(JointState { names, positions: cdr.floats()?, velocities: cdr.floats()?, efforts: cdr.floats()? })
    }
}

/// `sensor_msgs/Image`.
pub struct Image<'a> {
    pub width: u32,
    pub height: u32,
    pub encoding: &'a str,
    is_big_endian: bool,
    row_bytes: usize,
    data: &'a [u8],
}

impl<'a> Image<'a> {
    pub fn read(message: &'a [u8]) -> Option<Image<'a>> {
        let mut cdr = Cdr::new(message)?;
        cdr.skip_header()?;
        let (height, width, encoding) = (cdr.count()?, cdr.count()?, cdr.text()?);
        let (is_big_endian, row_bytes) = (cdr.byte()? != 0, cdr.count()? as usize);
        let count = cdr.count()? as usize;
        let data = cdr.bytes(count)?;
        let fits = (height as usize).checked_mul(row_bytes).is_some_and(|bytes| bytes <= count);
        fits.then_some(Image { width, height, encoding, is_big_endian, row_bytes, data })
    }

    fn pixel<const SIZE: usize>(&self, column: u32, row: u32) -> Option<[u8; SIZE]> {
        let at = row as usize * self.row_bytes + column as usize * SIZE;
        self.data.get(at..at + SIZE)?.try_into().ok()
    }

    pub fn is_depth(&self) -> bool {
        ["16UC1", "mono16", "32FC1"].contains(&self.encoding)
    }

    /// Along the axis; None: there is none.
    pub fn depth_m(&self, column: u32, row: u32) -> Option<f64> {
        if self.encoding == "32FC1" {
            let bytes = self.pixel(column, row)?;
            let depth_m = if self.is_big_endian { f32::from_be_bytes(bytes) } else { f32::from_le_bytes(bytes) };
            return Some(f64::from(depth_m)).filter(|depth_m| depth_m.is_finite());
        }
        let bytes = self.pixel(column, row)?;
        let mm = if self.is_big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) };
        (mm > 0).then(|| f64::from(mm) / 1e3)
    }

    /// None: not of an encoding that is known.
    pub fn colour(&self, column: u32, row: u32) -> Option<[u8; 3]> {
        Some(match self.encoding {
            "rgb8" => self.pixel(column, row)?,
            "bgr8" => self.pixel(column, row).map(|[blue, green, red]| [red, green, blue])?,
            "rgba8" => self.pixel(column, row).map(|[red, green, blue, _]| [red, green, blue])?,
            "bgra8" => self.pixel(column, row).map(|[blue, green, red, _]| [red, green, blue])?,
            "mono8" => self.pixel(column, row).map(|[grey]| [grey; 3])?,
            _ => return None,
        })
    }
}

/// Of `sensor_msgs/CameraInfo`: focal lengths and middle, in pixels whose middles are whole numbers.
pub struct CameraInfo {
    pub width: u32,
    pub height: u32,
    pub focal_px: [f64; 2],
    pub middle_px: [f64; 2],
}

impl CameraInfo {
    pub fn read(message: &[u8]) -> Option<CameraInfo> {
        let mut cdr = Cdr::new(message)?;
        cdr.skip_header()?;
        let (height, width) = (cdr.count()?, cdr.count()?);
        cdr.text()?;
        cdr.floats()?;
        let k = (0..9).map(|_| cdr.float()).collect::<Option<Vec<f64>>>()?;
        Some(CameraInfo { width, height, focal_px: [k[0], k[4]], middle_px: [k[2], k[5]] })
    }
}
