import { crc32 } from 'node:zlib';

/** A zip file without compression: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
export function zip(files: readonly (readonly [name: string, contents: Buffer])[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, contents] of files) {
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    // The version that is needed, names in UTF-8, the first day that a zip file knows.
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc32(contents), 10);
    common.writeUInt32LE(contents.length, 14);
    common.writeUInt32LE(contents.length, 18);
    common.writeUInt16LE(path.length, 22);
    locals.push(Buffer.from('PK\x03\x04'), common, path, contents);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), common, place, path);
    offset += 4 + common.length + path.length + contents.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    8,
  );
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\x05\x06'), end]);
}
