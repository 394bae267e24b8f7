import { describe, expect, it } from 'vitest'
import { commandOf, commandOfArguments } from '../../../main/open-target.ts'

describe('commandOf', () => {
  it.each([
    ['tenantry://view/requests?status=4xx', { kind: 'show_view', path: '/requests?status=4xx' }],
    ['TENANTRY://view/mailbox', { kind: 'show_view', path: '/mailbox' }],
    [
      'tenantry://workspace?folder=/home/ana/demo',
      { kind: 'open_workspace', folder: '/home/ana/demo' },
    ],
    ['tenantry://fixture?path=/home/ana/shop', { kind: 'open_fixture', path: '/home/ana/shop' }],
    [
      '/home/ana/shop.tenantry-fixture',
      { kind: 'open_fixture', path: '/home/ana/shop.tenantry-fixture' },
    ],
    ['/home/ana/bug.tenantry', { kind: 'open_bundle', path: '/home/ana/bug.tenantry' }],
  ])('parses %s', (target, command) => {
    expect(commandOf(target)).toEqual(command)
  })

  it.each([
    'tenantry://view//elsewhere.test/',
    'tenantry://view/%2e%2e/x/../..//',
    'tenantry://workspace?folder=demo',
    'tenantry://workspace',
    'tenantry://quit',
    'tenantry:',
    'shop.tenantry-fixture',
    'bug.tenantry',
    '/home/ana/shop/.tenantry',
    'tenantry://bundle?path=/home/ana/bug.tenantry',
    '/home/ana/notes.txt',
    '--inspect',
    '',
  ])('does not parse %s', (target) => {
    expect(commandOf(target)).toBeUndefined()
  })
})

describe('commandOfArguments', () => {
  it('uses the first recognised argument', () => {
    expect(commandOfArguments(['/usr/bin/tenantry', '--x', 'tenantry://view/clock'])).toEqual({
      kind: 'show_view',
      path: '/clock',
    })
  })
})
