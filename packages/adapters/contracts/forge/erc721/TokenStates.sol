// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Scene} from "../support/Scene.sol";
import {Vm, vm} from "../support/Vm.sol";

/// @notice Every way in which a token came to its owner. Nobody can tell them apart through ERC-721.
abstract contract TokenStates is Scene {
    struct State {
        string name;
        function() internal returns (uint256, address) enter;
    }

    /// @dev The subject of the test that runs.
    uint256 internal tokenId;
    address internal owner;

    modifier inEveryState() {
        State[] memory states = _states();
        for (uint256 i = 0; i < states.length; ++i) {
            uint256 snapshot = vm.snapshotState();
            emit log(states[i].name);
            (tokenId, owner) = states[i].enter();
            vm.assertEq(registry.ownerOf(tokenId), owner, "owner");
            _;
            vm.revertToState(snapshot);
        }
    }

    function _states() private pure returns (State[] memory states) {
        states = new State[](9);
        states[0] = State("minted to self", _mintedToSelf);
        states[1] = State("minted to another", _mintedToAnother);
        states[2] = State("minted in a batch", _mintedInBatch);
        states[3] = State("transferred", _transferred);
        states[4] = State("returned to its creator", _returned);
        states[5] = State("sold", _sold);
        states[6] = State("forked", _forked);
        states[7] = State("fork of a fork", _forkedTwice);
        states[8] = State("fork sold", _forkSold);
    }

    function _mintedToSelf() private returns (uint256, address) {
        return (_mint(alice), alice);
    }

    function _mintedToAnother() private returns (uint256, address) {
        return (_mint(alice, bob, 0), bob);
    }

    function _mintedInBatch() private returns (uint256, address) {
        return (_mintBatch(alice, 3) + 1, alice);
    }

    function _transferred() private returns (uint256 id, address) {
        id = _mint(alice);
        _transfer(id, alice, bob);
        return (id, bob);
    }

    function _returned() private returns (uint256 id, address) {
        (id,) = _transferred();
        _transfer(id, bob, alice);
        return (id, alice);
    }

    function _sold() private returns (uint256 id, address) {
        id = _mint(alice);
        _list(id, 100, 0, 0, 0);
        _buy(id, 100, bob);
        return (id, bob);
    }

    function _forked() private returns (uint256, address) {
        return (_forkOf(_mint(alice), bob), bob);
    }

    function _forkedTwice() private returns (uint256 id, address) {
        (id,) = _forked();
        return (_forkOf(id, alice), alice);
    }

    function _forkSold() private returns (uint256 id, address) {
        (id,) = _forked();
        _list(id, 100, 0, 0, 0);
        _buy(id, 100, alice);
        return (id, alice);
    }

    function _forkOf(uint256 parent, address forker) private returns (uint256) {
        _list(parent, 0, 0, 100, 500);
        return _fork(parent, 100, forker);
    }
}
