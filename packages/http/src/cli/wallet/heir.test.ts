import { describe, expect, test } from 'vitest'
import { here, run, withServer } from '../../../test/command-harness.ts'
import { ada, ben, cleo } from '../../../test/wallet-harness.ts'

withServer()

const keyOf = (account: typeof ada) =>
  `0x${Buffer.from(account.getHdKey().privateKey ?? []).toString('hex')}`

const as = (account: typeof ada, ...words: readonly string[]) => {
  const env = { HEIRLOOM_URL: here.HEIRLOOM_URL, HEIRLOOM_PRIVATE_KEY: keyOf(account) }
  return run(['heir', ...words], { env })
}
const asJson = async (account: typeof ada, ...words: readonly string[]) => {
  const { code, out, err } = await as(account, ...words, '--json')
  expect(code, err).toBe(0)
  return JSON.parse(out)
}
const failureOf = async (account: typeof ada, ...words: readonly string[]) => {
  const { code, err } = await as(account, ...words, '--json')
  return [code, JSON.parse(err).code]
}

describe('heirloom heir', () => {
  test('names an heir, shows it to anyone, gives a sign of life, and ends the plan', async () => {
    const days = ['--silence', '365', '--notice', '90'] as const
    expect(await asJson(ada, 'name', ben.address, ...days)).toMatchObject({
      account: ada.address,
      heir: ben.address,
      silenceDays: 365,
      noticeDays: 90,
    })
    const env = { HEIRLOOM_URL: here.HEIRLOOM_URL }
    const shown = await run(['heir', 'show', ada.address], { env })
    expect(shown.out).toMatch(new RegExp(`^Heir +${ben.address}$`, 'm'))
    expect(shown.out).toMatch(/^State +active: the heir may announce from \d{4}-\d\d-\d\d .* UTC/m)
    const before = await asJson(ada, 'show')
    const sign = await asJson(ada, 'heartbeat')
    expect(sign).toMatchObject({ account: ada.address })
    const after = await asJson(ada, 'show')
    expect(Number(after.lastSignAt)).toBeGreaterThanOrEqual(Number(before.lastSignAt))
    expect(await failureOf(ben, 'announce', ada.address)).toEqual([5, 'heir/not-silent'])
    expect(await failureOf(cleo, 'announce', ada.address)).toEqual([4, 'heir/not-heir'])
    await asJson(ada, 'clear')
    expect(await asJson(ada, 'show')).toMatchObject({ state: 'none', heir: null })
    expect((await as(ada, 'show')).out).toMatch(/^Heir +none$/m)
  })

  test('shows what it would pay with --dry-run, and signs nothing', async () => {
    const lines = [['name', ben.address], ['clear'], ['heartbeat']]
    for (const words of lines) {
      const quote = await asJson(cleo, ...words, '--dry-run')
      expect(quote).toMatchObject({ dryRun: true, from: cleo.address, price: '0' })
      expect(BigInt(quote.maxFee)).toBeGreaterThan(0n)
    }
    expect(await asJson(cleo, 'show')).toMatchObject({ state: 'none' })
    const early = await failureOf(cleo, 'announce', ada.address, '--dry-run')
    expect(early).toEqual([4, 'heir/not-heir'])
  })

  test('takes over nothing from an account that holds nothing', async () => {
    const { code, out } = await as(ben, 'take-over', cleo.address, '--yes')
    expect([code, out]).toEqual([0, expect.stringContaining('holds no token')])
    const named = await failureOf(ben, 'take-over', cleo.address, '--tokens', '1,2')
    expect(named).toEqual([4, 'heir/not-heir'])
  })

  test.each([
    [['name'], 'heirloom heir name needs the ADDRESS'],
    [['name', 'x'], 'ADDRESS must be'],
    [['name', ben.address, '--silence', '29'], '--silence must be a whole number of days from 30'],
    [['name', ben.address, '--notice', '5000'], '--notice must be'],
    [['announce'], 'needs the ADDRESS'],
    [['heartbeat', ada.address], 'takes no ADDRESS'],
    [['clear', ada.address], 'takes no ADDRESS'],
    [['take-over', ada.address, '--tokens', '1,x'], '--tokens must be'],
    [['bequeath'], 'ACTION'],
  ])('explains %j', async (words, problem) => {
    const { code, err } = await as(ada, ...words)
    expect([code, err]).toEqual([2, expect.stringContaining(problem)])
  })

  test('show needs an address where there is no wallet', async () => {
    const { code, err } = await run(['heir', 'show'], { env: { HEIRLOOM_URL: here.HEIRLOOM_URL } })
    expect([code, err]).toEqual([2, expect.stringContaining('needs the ADDRESS')])
  })
})
