import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { builtProgram } from '../../../packages/http/test/built-program.ts'
import { setup as buildProgram } from '../../build-program.ts'
import { type Files, programArchive, programsFolder } from './earlier-programs.ts'

// Packs the server of this code for the tests of later releases, or that of another commit which was
// built into a folder `dist`: node test/harness/upgrade/pack-program.ts NAME [DIST]

const [name, built] = process.argv.slice(2)
if (name === undefined) throw new Error('The name of the program is missing: a release.')
const archive = programArchive(name)
if (existsSync(archive)) throw new Error(`${archive} exists, and a program never changes.`)

if (built === undefined) buildProgram()
const dist = built ?? dirname(builtProgram)
const texts = Buffer.from(JSON.stringify(filesOfServer()))
mkdirSync(programsFolder, { recursive: true })
const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
writeFileSync(archive, brotliCompressSync(texts, { params: quality }))

/** Returns the files that a server may load, and what it reads beside them. */
function filesOfServer(): Files {
  const workers = readdirSync(dist).filter((file) => file.endsWith('-worker-program.js'))
  const found = new Set(['cli.js', 'NOTICES.txt', ...workers])
  for (const file of found) {
    // `cli.js` loads the other commands only when they are called.
    for (const other of importsOf(file)) if (other !== 'commands.js') found.add(other)
  }
  const packed = [...found].toSorted().map((file) => [`dist/${file}`, textOf(`dist/${file}`)])
  const beside = [
    'package.json',
    ...readdirSync(join(dist, '../agents')).map((it) => `agents/${it}`),
  ]
  return Object.fromEntries([...packed, ...beside.map((path) => [path, textOf(path)])])
}

function textOf(path: string): string {
  return readFileSync(join(dist, '..', path), 'utf8')
}

/** Returns the files of the program that one of them imports. */
function importsOf(file: string): readonly string[] {
  const imports = textOf(`dist/${file}`).matchAll(/["'`]\.\/([\w.-]+\.js)["'`]/g)
  return [...imports].map(([, other = '']) => other).filter((it) => existsSync(join(dist, it)))
}
