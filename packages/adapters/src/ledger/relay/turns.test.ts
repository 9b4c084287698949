import { expect, test } from 'vitest'
import { inTurn } from './turns.ts'

const busy = { code: 'service/busy' }

/** Opens a relay's turns, with tasks that end when a test says so. */
function openTurns() {
  const turn = inTurn<string>()
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (client: string | undefined, account: string, call: string) =>
    turn(call, { client, account }, () => {
      started.push(call)
      return new Promise((resolve) => ends.set(call, () => resolve(call)))
    })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return { ask, started, settled, end: (call: string) => ends.get(call)?.() }
}

test('the calls of an account run one after another, and the same call once', async () => {
  const { ask, started, settled, end } = openTurns()
  const [one, two] = [ask('here', '0xA', 'one'), ask('here', '0xa', 'two')]
  expect(ask('there', '0xA', 'one')).toBe(one)
  await settled()
  expect(started).toEqual(['one'])
  end('one')
  expect(await one).toBe('one')
  await settled()
  expect(started).toEqual(['one', 'two'])
  end('two')
  expect(await two).toBe('two')
})

test('a stranger who names an account does not keep it waiting', async () => {
  const { ask, started, settled, end } = openTurns()
  for (let call = 0; call < 8; call++) ask('eve', '0xa', `eve ${call}`)
  await expect(ask('eve', '0xa', 'eve 8')).rejects.toMatchObject({ ...busy, facts: { limit: 8 } })
  const own = ask('ada', '0xa', 'own')
  await settled()
  expect(started).toEqual(['eve 0', 'own'])
  end('own')
  expect(await own).toBe('own')
})

test('one client has half of the places, and all have them all', async () => {
  const { ask, settled, started } = openTurns()
  for (let call = 0; call < 32; call++) ask('eve', `${call}`, `eve ${call}`)
  await expect(ask('eve', 'x', 'more')).rejects.toMatchObject({ ...busy, facts: { limit: 32 } })
  for (let call = 0; call < 32; call++) ask('ada', `${call}`, `ada ${call}`)
  await expect(ask('bob', 'y', 'most')).rejects.toMatchObject({ ...busy, facts: { limit: 64 } })
  await settled()
  expect(started.length).toBe(64)
})

test('where clients are not told apart, the places are for all', async () => {
  const { ask, settled, started } = openTurns()
  for (let call = 0; call < 64; call++) ask(undefined, `${call}`, `${call}`)
  await expect(ask(undefined, 'x', 'more')).rejects.toMatchObject({ facts: { limit: 64 } })
  await settled()
  expect(started.length).toBe(64)
})
