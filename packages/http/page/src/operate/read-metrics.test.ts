import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operatorFigures, readMetrics } from './operator-record.ts'

test('reads names, labels and values, and leaves the rest out', () => {
  const text = '# HELP a Help.\n# TYPE a gauge\na 1\nb{end="settled",of="x \\"y\\""} 2.5\n\nc NaN\n'
  expect(readMetrics(text)).toEqual([
    { name: 'a', labels: {}, value: 1 },
    { name: 'b', labels: { end: 'settled', of: 'x "y"' }, value: 2.5 },
    { name: 'c', labels: {}, value: Number.NaN },
  ])
})

test('reads the labels that were written', () =>
  fc.assert(
    fc.property(fc.string(), fc.nat(), (text, value) => {
      const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
      fc.pre(!text.includes('\r'))
      const [found] = readMetrics(`a{of="${escaped}"} ${value}`)
      expect(found).toEqual({ name: 'a', labels: { of: text }, value })
    }),
  ))

test('shows the figures of an operator in one order, and marks trouble', () => {
  const samples = readMetrics(
    [
      'heirloom_memories_lost{state="missing"} 2',
      'heirloom_memories_lost{state="damaged"} 0',
      'process_cpu_seconds_total 9',
      'heirloom_jobs_total{end="settled"} 7',
      'heirloom_lane_open{tenant=""} 1',
    ].join('\n'),
  )
  expect(operatorFigures(samples)).toEqual([
    { what: 'Writes since the start · settled', value: 7 },
    { what: 'Transactions that are not mined yet', value: 1 },
    { what: 'Memories with lost bytes · missing', value: 2, remedy: 'Restore a backup.' },
    { what: 'Memories with lost bytes · damaged', value: 0 },
  ])
})
