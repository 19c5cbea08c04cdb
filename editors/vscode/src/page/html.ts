/** The page of the view, before anything is asked. Its scripts are those with `nonce` alone, and it loads nothing. */
export function html(source: string, nonce: string, style: string, script: string): string {
  const policy = `default-src 'none'; style-src ${source}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>Try a command</title>
</head>
<body>
<main>
<div class="question">
<div class="text">
<div id="backdrop" aria-hidden="true"></div>
<textarea id="command" rows="1" spellcheck="false" autocapitalize="off" autocomplete="off" aria-label="Command to try" aria-describedby="verdict"></textarea>
</div>
<div class="bar">
<label>read as
<select id="kind">
<option value="bash">shell</option>
<option value="kin">fish, csh</option>
<option value="powershell">PowerShell</option>
<option value="cmd">cmd</option>
<option value="words">words</option>
</select>
</label>
<span id="surroundings"></span>
</div>
</div>
<div id="verdict" role="status" aria-live="polite"></div>
<div id="answers"></div>
</main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}
