import { expect, test } from 'vitest'
import { type OperationName, paths, routeOf } from '../../packages/http/src/api/operations/paths.ts'
import { read } from '../docs/docs.ts'

const source = read('packages/http/python/heirloom.py')

/** The operations that the client for Python leaves to others: a new one is called by it, or stands here. */
const absent: readonly OperationName[] = [
  ...(['seal', 'relay', 'faucet', 'heir', 'ensNames', 'ensAccount', 'rpc', 'mcp'] as const),
  ...(['provenanceOfRegistry', 'downloadOfRegistry', 'isOwn', 'integrity', 'excerpts'] as const),
  ...(['facets', 'titles', 'history', 'rentals', 'activity', 'eachEarning'] as const),
  ...(['ratingCounts', 'profiles', 'setProfile', 'wallet', 'metrics', 'operator'] as const),
  ...(['addWebhook', 'webhooks', 'removeWebhook', 'livez', 'readyz'] as const),
  ...(['buyByX402', 'rentByX402', 'forkByX402', 'royaltyByX402'] as const),
  ...(['x402Resources', 'x402Search'] as const),
]

/** The texts of the source that begin with a slash, without a query, and are more than compared. */
const texts = [...source.matchAll(/(?<!startswith\()"(\/(?:\{[^}"]*\}|[^"?\s{}])*)/g)].map(
  ([, it = '']) => it,
)

/** Returns the expression of a path, in which a value after a slash is a parameter of the table. */
const expressionOf = (text: string) =>
  text
    .replaceAll('.', '\\.')
    .replaceAll('/{act}', '/(buy|rent|fork)')
    .replace(/(?<=\/)\{[^}]*\}|(?<=\/names\/)$/g, ':\\w+')

/** The texts that may follow a path, or stand where a value of the source follows no slash. */
const rest = `(${texts
  .filter((text) => !text.startsWith('/api'))
  .map(expressionOf)
  .join('|')})?`
const called = texts
  .filter((text) => text.startsWith('/api'))
  .map((it) => new RegExp(`^${expressionOf(it).replace(/\{[^}]*\}/g, rest)}${rest}$`))

const isCalled = (path: string) => called.some((it) => it.test(path))

test('heirloom.py calls every operation of the table but those that are left to others', () => {
  const names = Object.keys(paths) as OperationName[]
  const missing = names.filter((name) => !isCalled(routeOf(name).path))
  expect(missing.toSorted()).toEqual([...absent].toSorted())
})

test('heirloom.py has no path that is not one of the table', () => {
  const all = (Object.keys(paths) as OperationName[]).map((name) => routeOf(name).path)
  expect(called.filter((it) => !all.some((path) => it.test(path)))).toEqual([])
})
