// The page that shows while no inspector runs. It lists workspaces, or shows the progress or failure of a start.
import type { DesktopBridge, DesktopCommand, DesktopState, WorkspaceView } from '../bridge.ts'

declare global {
  interface Window {
    readonly tenantryDesktop: DesktopBridge
  }
}

const bridge = window.tenantryDesktop
const stage = document.getElementById('stage')

/** Number of states received so far. The count prevents an older state that arrives late from replacing a newer one. */
let received = 0

bridge.onState((state) => {
  received += 1
  void draw(state)
})
const before = received
void bridge.state().then((state) => (before === received ? draw(state) : undefined))

async function draw(state: DesktopState): Promise<void> {
  const drawing = received
  const content = await contentOf(state)
  if (drawing === received) stage?.replaceChildren(...content)
}

async function contentOf(state: DesktopState): Promise<Node[]> {
  switch (state.phase) {
    case 'starting':
    case 'stopping':
    case 'ready':
      return waiting(state)
    case 'failed':
      return failed(state)
    case 'choosing':
      return choosing(await bridge.workspaces())
    default:
      return state.phase satisfies never
  }
}

function waiting({ phase, workspace, step }: DesktopState): Node[] {
  const name = workspace?.name ?? 'the workspace'
  const bar = element('div', 'bar')
  bar.setAttribute('role', 'progressbar')
  bar.setAttribute('aria-label', 'Progress')
  return [
    element('h1', '', phase === 'stopping' ? `Closing ${name}` : `Opening ${name}`),
    element('p', '', step ?? (phase === 'stopping' ? 'Saving data' : 'Loading the inspector')),
    bar,
  ]
}

function failed({ failure, workspace }: DesktopState): Node[] {
  if (failure === null) return []
  const buttons = failure.ways_out.map(({ label, command }, index) =>
    button(label, command, index === 0),
  )
  return [
    element('h1', 'refused', failure.title),
    element('p', '', failure.sentence),
    element('p', 'mono', workspace?.folder ?? ''),
    row(buttons),
    alert(),
  ]
}

function choosing(workspaces: readonly WorkspaceView[]): Node[] {
  const form = document.createElement('form')
  form.className = 'row'
  const name = document.createElement('input')
  name.placeholder = 'Name of a new workspace'
  name.setAttribute('aria-label', 'Name of a new workspace')
  form.append(
    name,
    Object.assign(element('button', 'main', 'Create'), { type: 'submit' }),
    button('Open a folder…', { kind: 'open_folder' }),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void run({ kind: 'create_workspace', name: name.value })
  })
  const list = element('ul')
  list.append(...workspaces.map(entry))
  return [
    element('h1', '', 'Workspaces'),
    element(
      'p',
      '',
      'Each workspace is a separate platform with its own tenants, users, files and keys.',
    ),
    ...(workspaces.length > 0
      ? [list]
      : [element('p', '', 'No workspaces yet. Create one or open a folder.')]),
    form,
    alert(),
  ]
}

function entry(workspace: WorkspaceView): HTMLElement {
  const { folder, name } = workspace
  const what = element('div', 'what', name)
  what.append(element('span', 'mono', folder))
  const line = element('li')
  line.append(what, button('Open', { kind: 'open_workspace', folder }, true))
  if (workspace.is_managed)
    line.append(button('Duplicate', { kind: 'duplicate_workspace', folder, name: `${name} copy` }))
  line.append(button('Remove', { kind: 'remove_workspace', folder }))
  return line
}

function button(label: string, command: DesktopCommand, isMain = false): HTMLElement {
  const made = Object.assign(element('button', isMain ? 'main' : '', label), { type: 'button' })
  made.addEventListener('click', () => void run(command))
  return made
}

async function run(command: DesktopCommand): Promise<void> {
  const answer = await bridge.run(command)
  const place = document.querySelector('[role=alert]')
  if (place !== null) place.textContent = answer.ok ? '' : answer.message
}

function row(children: readonly Node[]): HTMLElement {
  const made = element('div', 'row')
  made.append(...children)
  return made
}

function alert(): HTMLElement {
  const made = element('p')
  made.setAttribute('role', 'alert')
  return made
}

function element(tag: string, className = '', text = ''): HTMLElement {
  const made = document.createElement(tag)
  if (className !== '') made.className = className
  if (text !== '') made.textContent = text
  return made
}
