import { expect, test } from 'vitest'
import { profileLimits, type SelfDescription, selfDescription, skeletonOf } from './profile.ts'

const of = (more: Partial<SelfDescription>) =>
  selfDescription({ name: 'Ada', sentence: '', link: '', ...more })
const refused = (problem: string) =>
  expect.objectContaining({ code: 'profile/malformed', facts: { problem } })

test.each([
  'Ada',
  'Ada Lovelace',
  'Dr. Ada 7',
  'Ox',
  'Facade',
  'Æthel',
  '李雷',
  'مريم',
  'Agent v1.2',
  'Young Heirloom',
  '🦊 Fox',
])('the name %s is taken as it is', (name) => expect(of({ name }).name).toBe(name))

test.each([
  ['Ada\nLovelace', 'its name contains U+000A, which can hide or disguise text'],
  ['Ada\u202Eeve', 'its name contains U+202E, which can hide or disguise text'],
  ['A\u200Bda', 'its name contains U+200B, which can hide or disguise text'],
  [' Ada', 'its name begins or ends with white space'],
  ['Ada\u00A0L', 'its name contains U+00A0, which looks like a plain space'],
  ['a'.repeat(profileLimits.name + 1), 'its name must have at most 40 characters'],
  ['…', 'its name must have a letter or a digit'],
  ['\u02BC', 'its name must have a letter or a digit'],
  ['0x7099', 'its name looks like an address'],
  ['Ada 0x', 'its name looks like an address'],
  ['\u04300\u0445 Ada', undefined],
  ['0\u0445Ada', 'its name looks like an address'],
  ['Ox7099…79C8', 'its name looks like an address'],
  ['\uFF10\uFF58\uFF17', 'its name looks like an address'],
  ['70997970C518', 'its name looks like an address'],
  ['7099…79C8', 'its name looks like an address'],
  ['f39F⋯2266', 'its name looks like an address'],
  ['f39F···2266', 'its name looks like an address'],
  ['0×7099', 'its name looks like an address'],
  ['ada·eth', 'its name looks like a name of ENS or of a server; leave out the point'],
  ['ada .eth', 'its name looks like a name of ENS or of a server; leave out the point'],
  ['ada\uA4F8eth', 'its name looks like a name of ENS or of a server; leave out the point'],
  ['You', 'its name is what is said of the reader or of the server'],
  ['Неirl00m', 'its name is what is said of the reader or of the server'],
  ['wallet of this server', 'its name is what is said of the reader or of the server'],
  ['O’Brien ‘7’', undefined],
  ['Ada ✓', 'its name has a mark as of one that was verified'],
  ['Ada ✅', 'its name has a mark as of one that was verified'],
  ['ada.eth', 'its name looks like a name of ENS or of a server; leave out the point'],
  ['ada\uFF0Eeth', 'its name looks like a name of ENS or of a server; leave out the point'],
])('the name %j is judged', (name, problem) => {
  if (problem === undefined) expect(of({ name }).name).toBe(name)
  else expect(() => of({ name })).toThrow(refused(problem))
})

test.each([
  ...['Ada”, owner', 'x” (verified', 'Al” to “Bob', '„A', 'A‟', 'A"', '«A»', 'A (b', 'A）', '❝A'],
])('the name %j does not leave its quotation marks', (name) => {
  expect(() => of({ name })).toThrow(refused('its name has a quotation mark or a round bracket'))
})

test.each([
  'https://ada.example',
  'https://ada.example:8443/a/b?c=d#e',
  'https://xn--d-eka.example/',
])('the link %s is taken', (link) => expect(of({ link }).link).toBe(link))

test.each([
  ...['http://ada.example', 'javascript:alert(1)', 'data:text/html,x', 'https:ada.example'],
  ...['https://ada@eve.example', 'https://ada.example\\@eve', 'https://localhost', '//ada.example'],
  ...['https://аda.example', 'https://ada.example/"><script>', ' https://ada.example', 'ipfs://x'],
  ...['https://ada.example:65536', 'https://999.999', 'https://127.0.0.1:3000', 'https://0x7f.1'],
])('the link %j is refused', (link) => {
  expect(() => of({ link })).toThrow(expect.objectContaining({ code: 'profile/malformed' }))
})

test('a sentence may not mislead, and only a name says who somebody is', () => {
  expect(() => of({ sentence: 'I am\u2066 Ada' })).toThrow(/U\+2066/)
  expect(() => of({ sentence: 'a'.repeat(161) })).toThrow(
    refused('its sentence must have at most 160 characters'),
  )
  expect(() => of({ name: '', sentence: 'I am.' })).toThrow(
    refused('its name must have a letter or a digit'),
  )
  expect(of({ name: '' })).toEqual({ name: '', sentence: '', link: '' })
})

test.each([
  ['Ada', ['ADA', 'ada', 'A d a', 'Ád\u0430', '\uFF21\uFF44\uFF41', '\u0391da', 'A.D.A', '𝐀da']],
  ['Ada', ['ꓮda', 'ᴀᴅᴀ', 'ᗩᗪᗩ', 'ᎪᎠᎪ', 'ⲁda', '⍺da', 'Ada ★', '🦊 Ada', 'Ada\u02BC', 'A\u20E3da']],
  ['Ada', ['\uAB7Ada', 'A\u13E7a', 'A\uABB7a']],
  ['Oweo', ['\u{1042C}weo', '\u{10404}weo', '\u0BE6weo', 'o\uAB83e\u0BE6', 'ow\uAB7Co']],
  ['Heirloom', ['ꓧꓰꓲꓣꓡꓳꓳꓟ', 'ʜᴇɪʀʟᴏᴏᴍ', 'ᕼEIᖇᒪOOᗰ']],
  ['John', ['\u0237ohn', 'ᒍohn']],
  ['Lily', ['L1ly', 'Iily', 'LILY', '\u04C0ily']],
  ['Rolf Moon', ['Rolf M00n', 'Rolf Rnoon', 'R\u03BFlf Moon']],
  ['Wes', ['VVes', '\u051Ces', 'We\u0455']],
])('names that look like %s have its skeleton', (name, alike) => {
  for (const it of alike) expect([it, skeletonOf(it)]).toEqual([it, skeletonOf(name)])
})

test('other names have others', () => {
  const names = ['Ada', 'Adam', 'Eda', 'Bob', 'Rob', 'か', 'が', '李雷', '李磊']
  expect(new Set(names.map(skeletonOf)).size).toBe(names.length)
})
