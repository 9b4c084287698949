import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { pythonFolder, pythonProgram, runPython } from '../harness/python/run-python.ts'

const builder = join(import.meta.dirname, '../../publish/python/build_wheel.py')

/** Builds the wheel in a folder of its own, and returns its path. */
function buildWheel(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wheel-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const words = ['-B', '-W', 'error', builder, '1.2.3', folder]
  return execFileSync(pythonProgram(), words, { encoding: 'utf8' }).trim()
}

test('the wheel has the module with its types, its record names each file by its digest, and it is made alike twice', async () => {
  const path = buildWheel()
  const script = `
import base64, hashlib, json, sys
from zipfile import ZipFile
files = {it.filename: ZipFile(sys.path[1]).read(it) for it in ZipFile(sys.path[1]).infolist()}
record = [line.split(',') for line in files['heirloom-1.2.3.dist-info/RECORD'].decode().split()]
digest = lambda it: 'sha256=' + base64.urlsafe_b64encode(hashlib.sha256(it).digest()).rstrip(b'=').decode()
for name, hashed, size in record[:-1]:
    assert [hashed, size] == [digest(files[name]), str(len(files[name]))], name
import heirloom
print(json.dumps({
    'names': [it[0] for it in record], 'files': list(files),
    'from': heirloom.__file__.startswith(sys.path[1]), 'repr': repr(heirloom.Heirloom('http://a', 'key')),
    'source': files['heirloom/__init__.py'].decode(),
}))`
  const read = JSON.parse(await runPython(script, { PYTHONPATH: path }))
  const names = ['LICENSE', 'METADATA', 'WHEEL', 'RECORD'].map(
    (it) => `heirloom-1.2.3.dist-info/${it}`,
  )
  const files = ['heirloom/__init__.py', 'heirloom/py.typed', ...names]
  expect(read).toEqual({
    names: files,
    files,
    from: true,
    repr: "Heirloom('http://a', address=None)",
    source: readFileSync(join(pythonFolder, 'heirloom.py'), 'utf8'),
  })
  expect(readFileSync(buildWheel())).toEqual(readFileSync(path))
})
