import { describe, expect, it } from 'vitest'
import type { DesktopCommand, DesktopState } from '../../../main/bridge.ts'
import type { MenuEntry } from '../../../main/electron-port.ts'
import { type MenuFacts, menuBar, trayMenu } from '../../../main/menu.ts'

const READY: DesktopState = {
  phase: 'ready',
  workspace: { name: 'Demo', folder: '/demo', is_managed: true, opened_at: null },
  step: null,
  failure: null,
  theme: 'system',
  version: '1.0.0',
}
const CHOOSING: DesktopState = { ...READY, phase: 'choosing', workspace: null }

function facts(changes: Partial<MenuFacts> = {}): MenuFacts {
  return {
    state: READY,
    platform: 'linux',
    recent: [],
    hasMailNotices: false,
    run: () => undefined,
    ...changes,
  }
}

function actions(menu: readonly MenuEntry[]): Extract<MenuEntry, { kind: 'action' }>[] {
  return menu.flatMap((entry) => {
    if (entry.kind === 'submenu') return actions(entry.entries)
    return entry.kind === 'action' ? [entry] : []
  })
}

describe('menuBar', () => {
  it('begins with the app’s own menu on macOS only', () => {
    const labels = (menu: readonly MenuEntry[]) =>
      menu.map((entry) => (entry.kind === 'submenu' ? entry.label : entry.kind))

    expect(labels(menuBar(facts({ platform: 'darwin' })))[0]).toBe('Tenantry')
    expect(labels(menuBar(facts({ platform: 'win32' })))[0]).toBe('Workspace')
  })

  it('uses each shortcut once', () => {
    for (const platform of ['darwin', 'linux', 'win32'] as const) {
      const shortcuts = actions(menuBar(facts({ platform }))).flatMap(
        ({ shortcut }) => shortcut ?? [],
      )

      expect(new Set(shortcuts).size).toBe(shortcuts.length)
    }
  })

  it('enables no action that needs an emulator while no emulator runs', () => {
    const enabled = actions(menuBar(facts({ state: CHOOSING })))
      .filter(({ isEnabled }) => isEnabled !== false)
      .map(({ label }) => label)

    expect(enabled).toEqual([
      'New or open…',
      'Open a folder…',
      'Open a bundle…',
      'Quit',
      'Notify about new messages',
    ])
  })

  it.each(['darwin', 'linux', 'win32'] as const)('opens the documentation on %s', (platform) => {
    const commands: DesktopCommand[] = []
    const menu = menuBar(facts({ platform, run: (command) => commands.push(command) }))
    const help = menu.filter((entry) => entry.kind === 'submenu' && entry.label === 'Help')

    actions(help)
      .find(({ label }) => label === 'Documentation')
      ?.run()

    expect(commands).toEqual([{ kind: 'open_documentation' }])
  })

  it('opens a recent workspace by its folder', () => {
    const commands: DesktopCommand[] = []
    const recent = [{ name: 'Shop', folder: '/shop', is_managed: true, opened_at: null }]
    const menu = menuBar(facts({ recent, run: (command) => commands.push(command) }))

    actions(menu)
      .find(({ label }) => label === 'Shop')
      ?.run()

    expect(commands).toEqual([{ kind: 'open_workspace', folder: '/shop' }])
  })
})

describe('trayMenu', () => {
  it.each([
    [READY, ['Demo is running', 'Stop the emulator']],
    [CHOOSING, ['No workspace is open', 'Start the emulator']],
    [{ ...READY, phase: 'failed' } as const, ['Demo could not be opened', 'Start the emulator']],
  ])('shows the workspace’s state, and how to stop or start the emulator', (state, wanted) => {
    const labels = actions(trayMenu(facts({ state }))).map(({ label }) => label)

    expect(labels).toEqual(expect.arrayContaining(wanted))
  })
})
