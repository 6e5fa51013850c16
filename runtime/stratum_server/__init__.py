"""MCP tools over the runtime; the compiler is handed in (tools.md, workflow.md section 4)."""
