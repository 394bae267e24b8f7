import { describe, expect, it } from 'vitest'
import { judgeNavigation, mayAsk } from '../../../main/permissions.ts'

const PLACES = {
  inspectorOrigin: 'http://127.0.0.1:7357',
  pagesUrl: 'file:///opt/tenantry/pages/',
}

describe('mayAsk', () => {
  it.each([
    'http://127.0.0.1:7357/_emulator/',
    'http://127.0.0.1:7357/_emulator/requests?status=4xx',
    'file:///opt/tenantry/pages/standing.html',
  ])('lets %s use the bridge', (url) => {
    expect(mayAsk(url, PLACES)).toBe(true)
  })

  it.each([
    'http://127.0.0.1:7358/_emulator/',
    'http://127.0.0.1:7357/patients',
    'http://127.0.0.1:7357/_emulatorx/',
    'http://127.0.0.1:7357@elsewhere.test/_emulator/',
    'https://127.0.0.1:7357/_emulator/',
    'file:///opt/tenantry/pages/../secret.html',
    'file:///etc/passwd',
    'data:text/html,x',
    'about:blank',
    '',
  ])('refuses %s', (url) => {
    expect(mayAsk(url, PLACES)).toBe(false)
  })

  it('refuses the inspector while no emulator runs', () => {
    expect(
      mayAsk('http://127.0.0.1:7357/_emulator/', { ...PLACES, inspectorOrigin: undefined }),
    ).toBe(false)
  })
})

describe('judgeNavigation', () => {
  it.each([
    ['http://127.0.0.1:7357/_emulator/tokens', 'inside'],
    ['https://docs.tenantry.test/', 'outside'],
    ['http://127.0.0.1:7357/patients', 'outside'],
    ['mailto:ana@patients.test', 'outside'],
    ['https://ana:secret@elsewhere.test/', 'refused'],
    ['file:///etc/passwd', 'refused'],
    ['javascript:alert(1)', 'refused'],
    ['tenantry://view/mailbox', 'refused'],
    ['no address', 'refused'],
  ])('judges %s: %s', (url, verdict) => {
    expect(judgeNavigation(url, PLACES)).toBe(verdict)
  })
})
