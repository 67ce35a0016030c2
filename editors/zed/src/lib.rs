use zed_extension_api::{self as zed, settings::LspSettings, LanguageServerId, Result};

struct Amp;

impl zed::Extension for Amp {
    fn new() -> Self {
        Amp
    }

    /// The server of the settings (`lsp.amp-lsp.binary.path`), or the one on PATH.
    fn language_server_command(
        &mut self,
        id: &LanguageServerId,
        worktree: &zed::Worktree,
    ) -> Result<zed::Command> {
        let binary = LspSettings::for_worktree(id.as_ref(), worktree)
            .ok()
            .and_then(|settings| settings.binary);
        let command = binary
            .as_ref()
            .and_then(|binary| binary.path.clone())
            .or_else(|| worktree.which("amp-lsp"))
            .ok_or("amp-lsp is not on PATH: go install github.com/amp-toolchain/amp/cmd/amp-lsp@latest")?;
        Ok(zed::Command {
            command,
            args: binary.and_then(|binary| binary.arguments).unwrap_or_default(),
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(Amp);
