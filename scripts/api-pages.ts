// The pages docs/reference/library.md and testing.md, made of the docstrings of the public names. Pure.
import type { PublicMember, PublicName } from './public-api.ts'
import { page, table } from './reference-pages.ts'

/** Default values of configuration members, by the name of the configuration's type. */
export type Defaults = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Folder with the sources of the test helpers. */
const TESTING = 'emulator/assembly/testing/'

/** Types whose members another page lists. */
const LISTED_ELSEWHERE: Readonly<Record<string, string>> = { FixtureInput: 'fixture-keys.md' }

/** Builds docs/reference/library.md. @param introduction the text that is written by hand */
export function libraryPage(
  api: readonly PublicName[],
  introduction: string,
  defaults: Defaults,
): string {
  return apiPage('Library', introduction, namesOfPage(api, 'library.md'), api, defaults)
}

/** Builds docs/reference/testing.md. @param introduction the text that is written by hand */
export function testingPage(api: readonly PublicName[], introduction: string): string {
  return apiPage('Test helpers', introduction, namesOfPage(api, 'testing.md'), api, {})
}

function namesOfPage(api: readonly PublicName[], name: string): readonly PublicName[] {
  return api.filter((one) => one.entry !== 'tenantry/client' && pageOf(one) === name)
}

function pageOf({ file }: PublicName): string {
  return file.startsWith(TESTING) ? 'testing.md' : 'library.md'
}

/** Begins the generated part of a page. */
const MARK = '<!-- `npm run docs` writes the rest of this page from the docstrings. -->'

/** Returns what is written by hand: the text between the title and the generated part. */
export function introductionOf(text: string): string {
  const end = text.indexOf(MARK)
  if (end === -1) throw new Error(`The page lacks the line ${MARK}`)
  return text.slice(text.indexOf('\n'), end).trim()
}

function apiPage(
  title: string,
  introduction: string,
  names: readonly PublicName[],
  api: readonly PublicName[],
  defaults: Defaults,
): string {
  const sections = SECTIONS.flatMap(([heading, isIn]) => {
    const own = names.filter((one) => sectionOf(one, api) === isIn)
    return own.length === 0
      ? []
      : [`## ${heading}`, ...own.map((one) => section(one, api, defaults))]
  })
  return page(title, [introduction, MARK, ...sections])
}

type Section = 'functions' | 'objects' | 'types' | 'errors'

const SECTIONS: readonly (readonly [heading: string, section: Section])[] = [
  ['Functions', 'functions'],
  ['Objects', 'objects'],
  ['Types', 'types'],
  ['Errors', 'errors'],
]

function sectionOf(one: PublicName, api: readonly PublicName[]): Section {
  if (one.kind === 'class') return 'errors'
  if (one.kind === 'function' || one.kind === 'value') return 'functions'
  return [one, ...parentsOf(one, api)].some(hasMethod) ? 'objects' : 'types'
}

function hasMethod({ members }: PublicName): boolean {
  return members.some(({ declaration }) => /^\w+\(/.test(declaration))
}

/** The public types that an interface or a class extends or implements. */
function parentsOf({ declaration }: PublicName, api: readonly PublicName[]): readonly PublicName[] {
  const names = /^(?:interface|(?:abstract )?class) .* extends (.*)$/.exec(declaration)?.[1] ?? ''
  return names
    .split(/, | implements /)
    .flatMap((name) => api.find((one) => one.name === name) ?? [])
}

function section(one: PublicName, api: readonly PublicName[], defaults: Defaults): string {
  const { declaration, doc, entry, members, name } = one
  const elsewhere = LISTED_ELSEWHERE[name]
  const shown = members.filter(({ path }) => path !== 'constructor')
  const parts = [
    `### ${name}`,
    `\`\`\`ts\n${declaration}\n\`\`\``,
    entry === 'tenantry' ? '' : `Exported by \`${entry}\`.`,
    doc.text,
    doc.params.map(([param, text]) => `- \`${param}\`: ${text}`).join('\n'),
    ...doc.throws.map(throwsText),
    inherited(one, api),
  ]
  if (elsewhere !== undefined) parts.push(`[Another page](${elsewhere}) lists its members.`)
  else if (shown.length > 0)
    parts.push(
      table(
        ['member', 'meaning'],
        shown.map((member) => memberRow(member, defaults[name])),
      ),
    )
  return parts.filter((part) => part !== '').join('\n\n')
}

function inherited(one: PublicName, api: readonly PublicName[]): string {
  const links = parentsOf(one, api).map(
    (parent) => `[\`${parent.name}\`](${pageOf(parent)}#${parent.name.toLowerCase()})`,
  )
  return links.length === 0 ? '' : `Has the members of ${links.join(' and ')}, too.`
}

function memberRow(
  { declaration, doc, path }: PublicMember,
  defaults: Readonly<Record<string, unknown>> = {},
): readonly string[] {
  const text = declaration.replace(/^readonly /, '').replace(/^(\S+\?: .*) \| undefined$/, '$1')
  const name = path.split('.').at(-1) ?? path
  const shown = text.startsWith(name) ? `${path}${text.slice(name.length)}` : text
  return [
    `\`${shown}\``,
    [sentence(doc.text), ...doc.throws.map(throwsText), defaultText(doc.text, defaults[path])]
      .filter((part) => part !== '')
      .join(' '),
  ]
}

function defaultText(text: string, value: unknown): string {
  if (value === undefined || typeof value === 'object' || /default/i.test(text)) return ''
  return `Default: \`${typeof value === 'number' ? value.toLocaleString('en').replaceAll(',', '_') : String(value)}\`.`
}

function throwsText(text: string): string {
  return sentence(`Throws ${text.replace(/^\{?(\w+)\}?/, '`$1`')}`)
}

const sentence = (text: string): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`)
