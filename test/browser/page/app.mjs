// A tenant's application as small as it can be: no bundler, one import.
import { createClient } from './client.mjs'

const { url, key, project } = await (await fetch('settings.json')).json()
const client = createClient(url, key, { project })
const { auth } = client

const find = (id) => document.getElementById(id)
const fail = (error) => {
  find('failure').textContent = error === null ? '' : `${error.code}: ${error.message}`
}

let newest

async function show(session) {
  newest = session
  find('signed-out').hidden = session !== null
  find('signed-in').hidden = session === null
  find('who').textContent = session === null ? 'Nobody is signed in.' : session.user.email
  const { data, error } = await client.from('notes').select('text').order('id')
  if (newest !== session) return
  if (error !== null) fail(error)
  find('notes').replaceChildren(
    ...(data ?? []).map(({ text }) =>
      Object.assign(document.createElement('li'), { textContent: text }),
    ),
  )
}

function onSubmit(id, action) {
  find(id).addEventListener('submit', async (event) => {
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(event.target, event.submitter))
    const { error } = await action(fields)
    fail(error)
  })
}

auth.onAuthStateChange((event, session) => {
  find('events').append(Object.assign(document.createElement('li'), { textContent: event }))
  void show(session)
})

const emailOf = () => new FormData(find('password-form')).get('email')
onSubmit('password-form', ({ email, password, action }) => {
  if (action === 'code') return auth.signInWithOtp({ email })
  return action === 'up'
    ? auth.signUp({ email, password })
    : auth.signInWithPassword({ email, password })
})
onSubmit('code-form', ({ code }) => auth.verifyOtp({ email: emailOf(), code }))
onSubmit('note-form', async ({ text }) => {
  const outcome = await client.from('notes').insert({ text })
  await show((await auth.getSession()).data.session)
  return outcome
})
find('google').addEventListener('click', async () => {
  const redirectTo = location.origin + location.pathname
  const { error } = await auth.signInWithOAuth({ provider: 'google', options: { redirectTo } })
  fail(error)
})
find('sign-out').addEventListener('click', () => auth.signOut())

const { error } = await auth.initialize()
if (error !== null) fail(error)
document.body.dataset.ready = 'yes'
