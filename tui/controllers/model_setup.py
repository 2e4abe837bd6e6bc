"""Setting up a language model from within: server, key, model, a trial, and the service anew."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.tui import config, language_model
from redraft.tui.controllers.workspace import Workspace
from redraft.tui.language_model import PROVIDERS, ModelChoice
from redraft.tui.screens.dialog import AskScreen, Choice, ChoiceScreen
from redraft.tui.text.runs import one_line
from redraft.tui.transport.failures import ClientError

OTHER, OFF = "other", "off"


class ModelSetup:
    """Asks for a model, tries it, keeps it, and starts the local service again with it."""

    def __init__(self, screen: Workspace) -> None:
        self._screen = screen
        self._session = screen.session

    def refusal(self) -> str:
        """Returns why no model can be set up here, or nothing."""
        options = self._screen.options
        if options.restart is None or not options.is_local:
            return "the service that you use has its own models"
        if language_model.named_by(options.environment):
            return "the environment names the model (OPENAI_…, REDRAFT_MODEL)"
        return "edits are under way" if self._session.store.jobs else ""

    def begin(self) -> None:
        """Looks for servers on this machine, then asks whose model is wanted."""
        refusal = self.refusal()
        if refusal:
            self._screen.say(f"not here: {refusal}", "warning")
            return
        self._screen.say(f"looking for model servers on this machine {self._dots}")
        self._screen.start(self._ask_whose(), group="model", exclusive=True)

    @property
    def _dots(self) -> str:
        return self._screen.look.glyphs.ellipsis

    async def _ask_whose(self) -> None:
        from redraft.tui.model_servers import local_servers

        near = {server.name: server for server in await local_servers()}
        choices = [
            Choice(
                f"near:{server.name}",
                f"{server.name} on this machine",
                ", ".join(server.models[:3]),
            )
            for server in near.values()
        ]
        choices += [Choice(f"at:{one.name}", one.name, "needs a key") for one in PROVIDERS]
        choices.append(Choice(OTHER, "another address"))
        if language_model.default_path().exists():
            choices.append(Choice(OFF, "no language model"))

        def answered(choice: Choice | None) -> None:
            kind, _, name = (choice.id if choice is not None else "").partition(":")
            if kind == "near":
                self._ask_model(near[name].address, "", near[name].models)
            elif kind == "at":
                provider = next(one for one in PROVIDERS if one.name == name)
                self._ask_key(provider.address, f"made at {provider.keys}")
            elif kind == OTHER:
                self._ask_address()
            elif kind == OFF:
                self._screen.start(self._forget(), group="model", exclusive=True)

        self._screen.say("")
        self._screen.ask(ChoiceScreen(self._screen.look, "Whose model?", choices), answered)

    def _ask_address(self) -> None:
        def answered(address: str | None) -> None:
            if address and address.strip():
                self._ask_key(address.strip(), "enter alone: none")

        title = "Address of a Chat Completions server, such as http://127.0.0.1:11434/v1"
        self._screen.ask(AskScreen(self._screen.look, title, "https://"), answered)

    def _ask_key(self, address: str, hint: str) -> None:
        def answered(key: str | None) -> None:
            if key is not None:
                self._screen.say(f"asking {one_line(address)} for its models")
                work = self._list_models(address, key.strip())
                self._screen.start(work, group="model", exclusive=True)

        title = f"Key for {one_line(address)}"
        self._screen.ask(AskScreen(self._screen.look, title, hint=hint, is_secret=True), answered)

    async def _list_models(self, address: str, key: str) -> None:
        from redraft.tui.model_servers import models_at

        try:
            names = await models_at(address, key)
        except ClientError as error:
            self._screen.say(f"{error}", "error")
            return
        self._ask_model(address, key, names)

    def _ask_model(self, address: str, key: str, names: Sequence[str]) -> None:
        def chosen(choice: Choice | None) -> None:
            if choice is not None:
                self._begin_trial(ModelChoice(address=address, key=key, model=choice.id))

        def named(name: str | None) -> None:
            if name and name.strip():
                self._begin_trial(ModelChoice(address=address, key=key, model=name.strip()))

        look = self._screen.look
        if names:
            choices = [Choice(name, name) for name in names]
            self._screen.ask(ChoiceScreen(look, "Which model?", choices), chosen)
        else:
            self._screen.ask(AskScreen(look, "Name of the model"), named)

    def _begin_trial(self, choice: ModelChoice) -> None:
        self._screen.say(f"asking {one_line(choice.model)} {self._dots}")
        self._screen.start(self._try_and_keep(choice), group="model", exclusive=True)

    async def _try_and_keep(self, choice: ModelChoice) -> None:
        from redraft.tui.model_servers import try_out

        try:
            await try_out(choice)
            language_model.save(language_model.default_path(), choice)
        except (ClientError, config.ConfigurationError) as error:
            self._screen.say(f"not set up: {error}", "error")
            return
        if await self._start_again():
            self._screen.say(f"{one_line(choice.model)} answers, and plans edits from now on", "ok")

    async def _forget(self) -> None:
        language_model.forget(language_model.default_path())
        if await self._start_again():
            self._screen.say("no language model from now on; simple instructions are understood")

    async def _start_again(self) -> bool:
        """Starts the local service again, which keeps its documents; returns whether it did."""
        restart = self._screen.options.restart
        if restart is None:
            return False
        try:
            self._session.updates.connect(await restart())
            await self._session.updates.poll()
        except ClientError as error:
            self._session.updates.fail_to_start(error)
            return False
        return True
