import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { listenOnLoopback } from '../../../packages/http/test/listen-on-loopback.ts'
import { fileOf } from './tarball.ts'

/** The metadata of one version: its manifest, and the path of its tarball. */
type Version = {
  readonly name: string
  readonly version: string
  readonly dist: { readonly tarball: string; readonly integrity: string; readonly shasum: string }
}

/** A running npm registry. */
export type Registry = {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Starts an npm registry with the tarballs of a folder. */
export async function startRegistry(folder: string): Promise<Registry> {
  const tarballs = new Map(
    readdirSync(folder).map((name) => [`/tarballs/${name}`, readFileSync(join(folder, name))]),
  )
  const versions = [...tarballs].map(([path, bytes]) => versionOf(path, bytes))
  const server = createServer(({ url: path = '/', headers: { host } }, response) => {
    const tarball = tarballs.get(path)
    if (tarball !== undefined) return response.end(tarball)
    const version = versions.find(({ name }) => `/${name}` === decodeURIComponent(path))
    response.statusCode = version === undefined ? 404 : 200
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(version === undefined ? {} : packument(version, `http://${host}`)))
  })
  const { url, close } = await listenOnLoopback(server)
  return { url: `${url}/`, close }
}

function versionOf(tarball: string, bytes: Uint8Array): Version {
  const sum = (name: string) => createHash(name).update(bytes)
  return {
    ...JSON.parse(fileOf(bytes, 'package.json')),
    dist: {
      tarball,
      integrity: `sha512-${sum('sha512').digest('base64')}`,
      shasum: sum('sha1').digest('hex'),
    },
  }
}

// In the past, because package managers may refuse very new versions.
const publishedAt = '2026-01-01T00:00:00.000Z'

function packument(latest: Version, origin: string): object {
  const { name, version, dist } = latest
  const absolute = { ...latest, dist: { ...dist, tarball: `${origin}${dist.tarball}` } }
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: absolute },
    time: { created: publishedAt, modified: publishedAt, [version]: publishedAt },
  }
}
