import { expect, test } from 'vitest'
import { withAnswers, withJson } from '../../../../test/answering-server.ts'
import {
  installation,
  namesOf,
  runDoctor,
  useInstallations,
} from '../../../../test/installation.ts'
import { askServer } from './ask-server.ts'

useInstallations()

const ask = (url: string) => askServer({ url: new URL(url) })

test.each([
  ['{"components":{"chain":"ok"},"nodes":[null]}', 'nodes[0] of /readyz is null'],
  ['{"components":{"chain":"ok"},"nodes":7}', 'nodes of /readyz is 7'],
  ['{"components":{"a":{"toString":1}}}', 'components.a of /readyz is {"toString":1}'],
  ['{"components":"abc"}', 'components of /readyz is "abc"'],
  ['{"components":{"a":"x"},"detail":[]}', 'detail of /readyz is []'],
])('%s is a failure that names the value and its place', async (text, problem) => {
  const report = await withJson({ '/readyz': text }, ask)
  expect(report?.server).toMatchObject({ level: 'fail', name: 'server' })
  expect(report?.server.sentence).toContain(problem)
})

test.each([
  ['/api/wallet', '{"balance":{"toString":1}}', 'balance of /api/wallet is {"toString":1}'],
  ['/api/deployment', '{"registry":{"toString":1}}', 'registry of /api/deployment is'],
  ['/api/deployment', '{"agent":{"toString":1}}', 'agent of /api/deployment is'],
])('%s with %s is a failure, too', async (path, text, problem) => {
  const answers = { '/readyz': '{"components":{"chain":"ok"}}', [path]: text }
  const report = await withJson(answers, ask)
  expect(report?.server.sentence).toContain(problem)
})

test('an answer of more than a mebibyte is refused', async () => {
  const text = `{"components":{"chain":"ok"},"more":"${'x'.repeat(2 ** 20)}"}`
  const report = await withJson({ '/readyz': text }, ask)
  expect(report?.server.sentence).toContain('/readyz is too long')
})

test('a redirect is not followed', async () => {
  const paths: string[] = []
  const report = await withAnswers(({ url = '' }, reply) => {
    paths.push(url)
    reply.writeHead(307, { location: '/elsewhere' }).end()
  }, ask)
  expect(report?.server.sentence).toContain(' is a redirect')
  expect(paths).not.toContain('/elsewhere')
})

test('a broken answer leaves the local checks', async () => {
  const folder = installation()
  const alone = await runDoctor({ DATA_DIR: folder })
  const text = '{"components":{"chain":"ok"},"nodes":[null]}'
  const findings = await withJson({ '/readyz': text }, (url) =>
    runDoctor({ DATA_DIR: folder }, url),
  )
  expect(namesOf(findings, 'fail')).toEqual(['server'])
  expect(namesOf(findings, 'ok')).toEqual(namesOf(alone, 'ok'))
})
