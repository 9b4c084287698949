import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { describe, expect, test } from 'vitest'
import { metrics } from '../../packages/http/src/observability/metrics.ts'
import { routePermissions } from '../../packages/http/src/server/api-keys/authorize.ts'
import { read } from '../docs/docs.ts'
import { deployFolder, readDeployed, readYaml } from '../harness/hosting/files.ts'

type Rule = {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<string, string>>
}
type Rules = { readonly groups: readonly { readonly rules: readonly Rule[] }[] }
type Panel = {
  readonly title: string
  readonly type: string
  readonly id: number
  readonly gridPos: {
    readonly h: number
    readonly w: number
    readonly x: number
    readonly y: number
  }
  readonly targets?: readonly { readonly expr: string }[]
}
type Dashboard = {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string }[] }
}

const rules = readYaml<Rules>('monitoring/alerts.yaml')[0]?.groups.flatMap((it) => it.rules) ?? []
const dashboard: Dashboard = JSON.parse(readDeployed('monitoring/dashboard.json'))

/** The labels that Prometheus adds, and `le`, that of buckets. */
const added = ['job', 'instance', 'le']

/** Returns every metric with its labels, as `docs/metrics.md` has them and /metrics prints them. */
async function knownMetrics(): Promise<ReadonlyMap<string, readonly string[]>> {
  const text = await metrics().text()
  const rows = [...read('docs/metrics.md').matchAll(/^\| `(\w+)` +\| \w+ +\|([^|]*)\|/gm)]
  const labels = new Map(
    rows.map(([, name = '', cell = '']) => [
      name,
      [...cell.matchAll(/`(\w+)`/g)].map(([, it = '']) => it),
    ]),
  )
  const known = new Map([['up', added]])
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    for (const suffix of suffixes)
      known.set(`${name}${suffix}`, [...added, ...(labels.get(name) ?? [])])
  }
  return known
}

/** Returns the metrics of an expression, and the labels that it names; throws where it is not PromQL. */
function partsOf(expression: string) {
  // The variables of the dashboard stand where PromQL has texts and durations.
  const text = expression.replaceAll('$__rate_interval', '5m').replaceAll(/\$\w+/g, 'x')
  const found = { metrics: new Set<string>(), labels: new Set<string>() }
  parser.parse(text).iterate({
    enter: ({ name, from, to, type }) => {
      const word = text.slice(from, to)
      if (type.isError) throw new Error(`This is not PromQL at ${from}: ${text}`)
      if (name === 'Identifier') found.metrics.add(word)
      if (name === 'LabelName') found.labels.add(word)
    },
  })
  return found
}

const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [title, expr] as const),
  ),
]

describe('alerts and dashboard', () => {
  test('ask for metrics and labels that the server has', async () => {
    const known = await knownMetrics()
    for (const [name, expression] of expressions) {
      const { metrics: used, labels } = partsOf(expression)
      expect(used.size, name).toBeGreaterThan(0)
      for (const metric of used) expect([...known.keys()], name).toContain(metric)
      const allowed = [...used].flatMap((metric) => known.get(metric) ?? [])
      for (const label of labels)
        expect([name, allowed]).toEqual([name, expect.arrayContaining([label])])
    }
  })

  test('would be refused with a metric that does not exist, or with a mistake', async () => {
    const known = await knownMetrics()
    expect([...partsOf('sum(rate(heirloom_nothing_total{job="a"}[5m]))').metrics]).toEqual([
      'heirloom_nothing_total',
    ])
    expect(known.has('heirloom_nothing_total')).toBe(false)
    expect(() => partsOf('sum(rate(heirloom_jobs_total[5m])')).toThrow('not PromQL')
  })

  test('show every metric of the service at least once', async () => {
    const shown = new Set(expressions.flatMap(([, it]) => [...partsOf(it).metrics]))
    const missing = [...(await knownMetrics()).keys()].filter((name) => {
      const family = name.replace(/_(bucket|sum|count)$/, '')
      const any = [family, `${family}_bucket`, `${family}_sum`, `${family}_count`]
      return name.startsWith('heirloom_') && !any.some((it) => shown.has(it))
    })
    expect(missing).toEqual([])
  })
})

describe('the alerts', () => {
  test('have one name each, a weight, and what to do', () => {
    expect(rules.length).toBeGreaterThan(10)
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { alert, labels, annotations } of rules) {
      expect(alert).toMatch(/^Heirloom[A-Z][A-Za-z]+$/)
      expect(['page', 'ticket']).toContain(labels.severity)
      expect(Object.keys(annotations), alert).toEqual(['summary', 'action'])
    }
  })

  test('keep the wallets of tenants apart, wherever a metric does', async () => {
    const known = await knownMetrics()
    for (const { alert, expr } of rules) {
      const labels = [...partsOf(expr).metrics].flatMap((metric) => known.get(metric) ?? [])
      if (!labels.includes('tenant')) continue
      const lists = [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].map(([, list = '']) => list)
      for (const list of lists) expect(list.split(', '), alert).toContain('tenant')
      expect(expr, alert).not.toMatch(/\b(sum|min|max|avg|count)\b(?! by)/)
    }
  })

  test('send their readers to pages that exist', () => {
    const pages = rules.flatMap(({ alert, annotations }) =>
      [
        ...Object.values(annotations)
          .join(' ')
          .matchAll(/[\w./-]+\.md\b/g),
      ].map(([page]) => `${alert}: ${page}`),
    )
    const missing = pages.filter(
      (it) => !existsSync(join(deployFolder, '..', it.split(': ')[1] ?? '')),
    )
    expect(missing).toEqual([])
    expect(pages.length).toBeGreaterThan(3)
  })

  const promtool = (...words: string[]) =>
    spawnSync('promtool', words, { cwd: join(deployFolder, 'monitoring'), encoding: 'utf8' })

  // Prometheus' own tool, where it is installed (on Debian: apt-get install prometheus).
  test.skipIf(promtool('--version').status !== 0)('fire as their tests say', () => {
    for (const words of [
      ['check', 'rules', 'alerts.yaml'],
      ['test', 'rules', 'alerts.test.yaml'],
      ['check', 'config', '--syntax-only', 'prometheus.yaml'],
    ]) {
      const { status, stdout, stderr } = promtool(...words)
      expect([words, status, status === 0 ? '' : stdout + stderr]).toEqual([words, 0, ''])
    }
  })
})

test('the scrape reads a route that exists', () => {
  type Scrapes = { readonly scrape_configs: readonly { readonly metrics_path: string }[] }
  const [config] = readYaml<Scrapes>('monitoring/prometheus.yaml')
  const paths = config?.scrape_configs.map(({ metrics_path: path }) => path)
  expect(paths).toEqual(['/metrics'])
  expect(routePermissions).toHaveProperty(['GET /metrics'], 'read')
})

test('the panels of the dashboard have ids of their own, lie side by side, and use its variables', () => {
  const { panels, templating } = dashboard
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
  const names = templating.list.map(({ name }) => name)
  const used = expressions.flatMap(([, it]) =>
    [...it.matchAll(/\$([a-z]\w*)/g)].map(([, name]) => name),
  )
  for (const name of used) expect(names).toContain(name)
})
