// Entry point of the inspector's pages.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startLive } from './api/live.ts'
import { renewOnEvents } from './api/query-client.ts'
import { watchServer } from './api/server-state.ts'
import { App } from './app.tsx'
import { applyTheme } from './shell/theme.ts'
import './styles/base.css'

applyTheme()
renewOnEvents()
watchServer()
startLive()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
