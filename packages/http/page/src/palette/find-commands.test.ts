import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findCommands } from './find-commands.ts'

const state = { isDark: false, isExact: false }
const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906' as const
const namesFor = (text: string) => findCommands(text, state).map(({ name }) => name)
const firstFor = (text: string) => findCommands(text, state)[0]

describe('the commands for a text', () => {
  test.each([
    ['act', { path: '/activity' }],
    ['EARN', { path: '/mine', heading: 'Earnings and payments' }],
    ['watch', { path: '/mine?list=watched', heading: 'Watched' }],
    ['documentation', { path: '/docs' }],
    ['operator', { path: '/operate' }],
    ['dark', { name: 'Dark appearance', setting: 'theme' }],
    ['exact', { setting: 'exactness' }],
    ['42', { path: '/token/42', kind: 'Memory' }],
    ['No. 42', { path: '/token/42' }],
    ['#42', { path: '/token/42' }],
    [` ${account} `, { path: `/account/${account}`, kind: 'Account' }],
  ])('begin for %j with what it names', (text, command) => {
    expect(firstFor(text)).toMatchObject(command)
  })

  test('name the other choice of a setting', () => {
    const other = findCommands('appearance', { ...state, isDark: true })
    expect(other[0]?.name).toBe('Light appearance')
  })

  test('lead to the account of an ENS name', () => {
    const [first] = findCommands('ada.eth', { ...state, named: { name: 'ada.eth', account } })
    expect(first).toMatchObject({ name: `Go to ada.eth, ${account}`, path: `/account/${account}` })
  })

  test('lead to the version of a name', () => {
    const version = { name: 'ada, version 3, No. 7', path: '/token/7' }
    const [first] = findCommands('ada@2026-10-01', { ...state, version })
    expect(first).toEqual({ name: `Go to ${version.name}`, path: '/token/7', kind: 'Memory' })
  })

  test('end with the memories that the text finds, and who made them', () => {
    const memory = {
      tokenId: '7',
      card: { title: 'Pods at night' },
      creator: account,
      source: null,
    }
    const memories = [memory as never]
    expect(findCommands('pods', { ...state, memories }).slice(-2)).toEqual([
      { name: 'Pods at night, No. 7', path: '/token/7', kind: 'Memory' },
      { name: '0x90F7…b906, who made Pods at night', path: `/account/${account}`, kind: 'Maker' },
    ])
  })

  test('say of a profile whose name another took first that it is similar', () => {
    const first = { name: 'Ada', account }
    const second = { name: 'Adа', account: `0x${'7'.repeat(40)}` as const, resembles: account }
    const found = findCommands('ada', { ...state, profiles: [first, second] }).slice(-2)
    expect(found.map(({ name }) => name)).toEqual([
      'Ada, 0x90F7…b906',
      'Adа (similar name), 0x7777…7777',
    ])
  })

  test('without a text are all views and settings, and no search', () => {
    expect(namesFor('')).toHaveLength(13)
    expect(namesFor('  ')).toEqual(namesFor(''))
    expect(namesFor('').join()).not.toContain('Search')
  })

  test('search for any text as it was typed, lead within this page, and have one name each', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const commands = findCommands(text, state)
        const paths = commands.flatMap((it) => ('path' in it ? it.path : []))
        for (const path of paths) expect(new URL(path, 'http://here').host).toBe('here')
        expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length)
        if (text.trim() === '') return
        const search = paths.find((path) => path.startsWith('/?'))
        expect(new URLSearchParams(search?.slice(2)).get('search')).toBe(text.trim())
      }),
    )
  })
})
